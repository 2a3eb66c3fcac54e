"""``python -m script.pictures``: draw the site's icons and the card of its invitations into static/img, with Chromium.

What is drawn is the emblem of static/img/favicon.svg and the card faces of static/cards; run it when one of them changes.
"""

from __future__ import annotations

import re
from base64 import b64encode

from playwright.sync_api import Page, sync_playwright

from script.checks import PROJECT, browser

IMAGES, CARDS = PROJECT / "static" / "img", PROJECT / "static" / "cards" / "two-big"
FELT, EDGE, BRASS = "#265546", "#1b4035", "#e3bd74"
SHOWN = ("AS", "KH", "QC", "JD")


def main() -> None:
    """Draw every picture anew."""
    emblem = re.findall(r"<path [^>]+/>", (IMAGES / "favicon.svg").read_text())[0]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
        page = chromium.new_page()
        for name, size in (("icon-192.png", 192), ("icon-512.png", 512)):
            draw(page, name, size, size, icon(emblem, 1.0, round_corners=True))
        # A phone cuts these to its own shape: the emblem keeps to the middle, the felt fills the corners.
        draw(page, "icon-mask-512.png", 512, 512, icon(emblem, 0.75, round_corners=False))
        draw(page, "icon-apple-180.png", 180, 180, icon(emblem, 0.9, round_corners=False))
        draw(page, "invitation.jpg", 1200, 630, invitation(emblem))
        chromium.close()


def draw(page: Page, name: str, width: int, height: int, drawing: str) -> None:
    """Write ``drawing`` (the inside of a page's body) as static/img/<name>; a PNG's empty corners stay clear."""
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(
        f"<style>body{{margin:0;width:{width}px;height:{height}px;overflow:hidden}}svg{{display:block}}</style>{drawing}"
    )
    page.wait_for_function("() => [...document.images].every(image => image.complete)")
    if name.endswith(".png"):
        page.screenshot(path=IMAGES / name, omit_background=True)
    else:
        page.screenshot(path=IMAGES / name, type="jpeg", quality=80)
    print(f"static/img/{name}: {(IMAGES / name).stat().st_size} bytes")


def icon(emblem: str, share: float, *, round_corners: bool) -> str:
    """Return the emblem in the middle of a square of felt, filling ``share`` of what it fills in the favicon."""
    shift = 16 - 16 * share
    corner = 7 if round_corners else 0
    return (
        f'<svg viewBox="0 0 32 32"><rect width="32" height="32" rx="{corner}" fill="#264d43"/>'
        f'<g transform="translate({shift} {shift}) scale({share})">{emblem}</g></svg>'
    )


def invitation(emblem: str) -> str:
    """Return four cards fanned out on felt; no word, so that it serves every language."""
    fan = ""
    for place, card in enumerate(SHOWN):
        # As pictures of their own: the faces use the same ids for different shapes.
        face = b64encode((CARDS / f"{card}.svg").read_bytes()).decode()
        turn, left = -16 + place * 10.7, 455 + place * 105
        fan += f'<img class="face" src="data:image/svg+xml;base64,{face}" style="left:{left}px;transform:rotate({turn}deg)">'
    return (
        f"<style>body{{background:radial-gradient(circle at 60% 45%,{FELT},{EDGE});position:relative}}"
        ".face{position:absolute;top:120px;width:260px;transform-origin:50% 130%;filter:drop-shadow(0 6px 14px #0007)}"
        ".emblem{position:absolute;left:70px;top:165px;width:300px}</style>"
        f'<svg class="emblem" viewBox="4 4 24 25" fill="{BRASS}">{emblem}</svg>{fan}'
    )


if __name__ == "__main__":
    main()
