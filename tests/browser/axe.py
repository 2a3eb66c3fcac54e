"""What axe-core says of a page: it looks as somebody who cannot see, or not well, has to.

Its script comes with the package `axe-playwright-python` and reaches the page through the debugger, past the content
policy, which stays in force for everything the page does itself.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from playwright.sync_api import Page

RUN = """async (rules) => {
  for (const moving of document.getAnimations()) moving.finish(); // colours on their way are no colours
  // Style sheets need not be read once more: no rule here asks for what is in them.
  const found = await axe.run(document, {resultTypes: ["violations"], preload: false, ...(rules && {runOnly: rules})});
  return found.violations.map(({id, impact, help, nodes}) => ({
    id, impact, help, nodes: nodes.map((node) => `${node.target} ${node.html.slice(0, 160)} ${node.failureSummary}`),
  }));
}"""

SEEN = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "region")
"""Rules whose answers depend on the width and the colours."""


@cache
def source() -> str:
    """Return axe-core as one script."""
    return (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def brought_along(page: Page) -> None:
    """Let every page that is opened from now on have axe-core, which need not be sent once for each."""
    page.context.add_init_script(source())


def complaints(page: Page, rules: tuple[str, ...] = ()) -> list[str]:
    """Return what is wrong with the page as it stands, by some rules or all, one text a rule; rules of impact "minor" are
    left out."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(source())
    found: list[dict[str, Any]] = page.evaluate(RUN, list(rules) or None)
    return [
        f"{each['impact']} {each['id']}: {each['help']}\n  " + "\n  ".join(each["nodes"][:4])
        for each in found
        if each["impact"] != "minor"
    ]
