"""Every text is there in every language, whole, and the compiled catalogues are those of the sources.

Nothing here needs GNU gettext: texts are found in the sources, and catalogues are read, by the functions below,
so that a text that was marked and never translated is noticed on any machine.
"""

import ast
import json
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

import allauth
import django
import pytest
from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.validators import validate_email
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, override, pgettext
from django.utils.translation.template import templatize

ROOT = Path(settings.BASE_DIR)
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
CATALOGUES = [(language, domain) for language in LANGUAGES for domain in ("django", "djangojs")]

# Where a call keeps what: each name's (context, text, plural) as places of its arguments.
CALLS = {
    name: places
    for places, names in {
        (None, 0, None): ["_", "_l", "N_", "gettext", "gettext_lazy", "gettext_noop"],
        (None, 0, 1): ["ngettext", "ngettext_lazy"],
        (0, 1, None): ["pgettext", "pgettext_lazy"],
        (0, 1, 2): ["npgettext", "npgettext_lazy"],
    }.items()
    for name in names
}

Key = tuple[str | None, str]
"""A text's context and its English words."""


@dataclass(frozen=True)
class Entry:
    """One text of a ``.po`` file: ``plural`` is None for a text without a number."""

    plural: str | None
    forms: tuple[str, ...]
    fuzzy: bool


# Catalogues ---------------------------------------------------------------------------------------------------------


def path_of(language: str, domain: str, ending: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES" / f"{domain}.{ending}"


@cache
def catalogue(language: str, domain: str) -> dict[Key, Entry]:
    """Read a ``.po`` file; its header stands under the empty text."""
    return dict(read_po(path_of(language, domain, "po").read_text("utf-8")))


def read_po(text: str) -> Iterator[tuple[Key, Entry]]:
    """Yield the entries of a ``.po`` file. Entries that start with ``#~`` are none."""
    for block in re.split(r"\n\s*\n", text):
        fields: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if line.startswith("#"):
                continue
            word, _space, rest = line.partition(" ")
            if not line.startswith('"'):
                name, line = word, rest
                fields[name] = ""
            fields[name] += ast.literal_eval(line)
        if fields:
            forms = [value for key, value in fields.items() if key.startswith("msgstr")]
            fuzzy = re.search(r"^#,.*\bfuzzy\b", block, re.MULTILINE) is not None
            key = fields.get("msgctxt"), fields["msgid"]
            yield key, Entry(fields.get("msgid_plural"), tuple(forms), fuzzy)


def compiled(entries: dict[Key, Entry]) -> dict[str, str]:
    """Return what a ``.mo`` file of ``entries`` holds: originals and translations as they stand in it."""
    out = {}
    for (context, text), entry in entries.items():
        if entry.fuzzy or not all(entry.forms):
            continue
        original = text if context is None else f"{context}\x04{text}"
        out[original if entry.plural is None else f"{original}\0{entry.plural}"] = "\0".join(entry.forms)
    return out


def read_mo(data: bytes) -> dict[str, str]:
    """Read a ``.mo`` file of either byte order (GNU gettext manual, "The Format of GNU MO Files")."""
    order = "<" if data[:4] == b"\xde\x12\x04\x95" else ">"
    magic, _revision, count, originals, translations = struct.unpack_from(f"{order}5I", data)
    assert magic == 0x950412DE

    def string(table: int, number: int) -> str:
        length, start = struct.unpack_from(f"{order}2I", data, table + 8 * number)
        return data[start : start + length].decode("utf-8")

    return {string(originals, number): string(translations, number) for number in range(count)}


# Sources ------------------------------------------------------------------------------------------------------------


FOREIGN = {"vendor", "var", "node_modules", "__pycache__", "migrations", "tests", "benchmarks"}


def sources(ending: str, folder: Path = ROOT) -> Iterator[Path]:
    """Yield the project's own files, without hidden and foreign folders."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in FOREIGN or path.is_symlink():
            continue
        if path.is_dir():
            yield from sources(ending, path)
        elif path.suffix == ending:
            yield path


def texts_of(name: str, arguments: Sequence[str | None]) -> tuple[Key, str | None] | None:
    """Return what a call of ``name`` marks, or None if its text is no constant."""
    context, text, plural = CALLS[name]
    marked = arguments[text] if text < len(arguments) else None
    if marked is None:
        return None
    key = arguments[context] if context is not None else None, marked
    return key, arguments[plural] if plural is not None else None


def in_python(path: Path) -> Iterator[tuple[Key, str | None]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in CALLS:
            values = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
            arguments = [value if isinstance(value, str) else None for value in values]
            if marked := texts_of(name, arguments):
                yield marked


STRING = r"""u?(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
CALL = re.compile(rf"(?<![\w.])({'|'.join(CALLS)})\(\s*({STRING}(?:\s*,\s*{STRING})*)", re.DOTALL)


def in_template(path: Path) -> Iterator[tuple[Key, str | None]]:
    """Django's own scanner turns a template into calls among rubbish; the calls are read from it."""
    for name, arguments in CALL.findall(templatize(path.read_text("utf-8"), origin=str(path))):
        if marked := texts_of(name, [ast.literal_eval(each) for each in re.findall(STRING, arguments)]):
            yield marked


def in_script(path: Path) -> Iterator[tuple[Key, str | None]]:
    for name, arguments in CALL.findall(without_comments(path.read_text("utf-8"))):
        if marked := texts_of(name, [ast.literal_eval(each) for each in re.findall(STRING, arguments)]):
            yield marked


def without_comments(script: str) -> str:
    """Drop ``/* */`` and ``//`` comments, but nothing inside quotes."""
    piece = rf"({STRING}|`(?:\\.|[^`\\])*`)|/\*.*?\*/|(?<![:\\/])//[^\n]*"
    return re.sub(piece, lambda found: found[1] or " ", script, flags=re.DOTALL)


@cache
def marked_texts(domain: str) -> dict[Key, str | None]:
    """Return every marked text of the sources with its plural."""
    if domain == "djangojs":
        found = [each for path in sources(".js") for each in in_script(path)]
    else:
        found = [each for path in sources(".py") for each in in_python(path)]
        pages = [path for ending in (".html", ".txt") for path in sources(ending, ROOT / "templates")]
        found += [each for path in pages for each in in_template(path)]
    texts: dict[Key, str | None] = {}
    for key, plural in found:
        texts[key] = plural or texts.get(key)
    return texts


LEFT_OUT = re.compile(
    r"\{#.*?#\}|\{% comment\b.*?\{% endcomment %\}|<!--.*?-->"
    r"|\{% block (?:\w*class|paper|size) %\}.*?\{% endblock %\}|\{% blocktrans.*?\{% endblocktrans\w* %\}|\{%.*?%\}|\{\{.*?\}\}"
    r"|<(?P<name>script|style|kbd|code)\b[^>]*>.*?</(?P=name)>",
    re.DOTALL,
)
READ_OUT = re.compile(r"""\b(?:aria-label|title|alt|placeholder)=(?:"([^"]*)"|'([^']*)')""")
SAME_EVERYWHERE = {"JSON", "CSV", "JSON, CSV", "SHA"}


def unmarked_words(page: str) -> list[str]:
    """Return what a template says outside of every mark; keys and code are the same in every language."""
    rest = LEFT_OUT.sub("\0", page)
    said = [text for pair in READ_OUT.findall(rest) for text in pair]
    said += re.sub(r"<[^>]*>", "\0", rest).split("\0")
    words = (re.sub(r"&\w+;|[\d\W_]+$", "", text).strip() for text in said)
    return [each for each in words if re.search(r"[^\W\d_]{2}", each) and each not in SAME_EVERYWHERE]


# The catalogues are whole -------------------------------------------------------------------------------------------

PLACE = re.compile(r"%\(\w+\)[sd]|%%|%[sd]|\{\w*\}|</?\w+[^>]*>")


def places(text: str) -> list[str]:
    """Return a text's placeholders and tags, in order of the alphabet."""
    return sorted(PLACE.findall(text))


@pytest.mark.parametrize("language, domain", CATALOGUES)
def test_every_marked_text_is_in_the_catalogue(language: str, domain: str) -> None:
    known = {key: entry.plural for key, entry in catalogue(language, domain).items()}
    wanted = marked_texts(domain)
    assert len(wanted) > 200
    assert [key for key in wanted if key not in known] == []
    assert [key for key, plural in wanted.items() if plural and known[key] != plural] == []


@pytest.mark.parametrize("language, domain", CATALOGUES)
def test_no_text_is_kept_that_nothing_uses(language: str, domain: str) -> None:
    unused = [key for key in catalogue(language, domain) if key[1] and key not in marked_texts(domain)]
    assert unused == []


@pytest.mark.parametrize("language, domain", CATALOGUES)
def test_every_text_is_translated(language: str, domain: str) -> None:
    entries = catalogue(language, domain)
    assert [key for key, entry in entries.items() if not all(text.strip() for text in entry.forms)] == []
    assert [key for key, entry in entries.items() if entry.fuzzy] == []


@pytest.mark.parametrize("language, domain", CATALOGUES)
def test_every_plural_has_all_forms_of_the_language(language: str, domain: str) -> None:
    entries = catalogue(language, domain)
    number = re.search(r"nplurals=(\d+); plural=([^;\\\n]+)", entries[None, ""].forms[0])
    assert number is not None
    counted = {key: len(entry.forms) for key, entry in entries.items() if entry.plural is not None}
    assert counted
    assert {key: forms for key, forms in counted.items() if forms != int(number[1])} == {}
    if language == "et":
        assert number.groups() == ("2", "(n != 1)")


@pytest.mark.parametrize("language, domain", CATALOGUES)
def test_translations_have_the_places_of_their_source(language: str, domain: str) -> None:
    wrong = []
    for (_context, text), entry in catalogue(language, domain).items():
        for number, form in enumerate(entry.forms if text else ()):
            # The first form may count, "1 seat", where the source only says "one seat".
            allowed = [entry.plural or text] if number else [text, entry.plural or text]
            if places(form) not in [places(each) for each in allowed]:
                wrong.append((text, form))
    assert wrong == []


@pytest.mark.parametrize("language, domain", CATALOGUES)
def test_names_and_cards_are_never_given_an_ending(language: str, domain: str) -> None:
    """A person's name stands as it is: "%(name)sle" would be read as somebody else's."""
    stuck = re.compile(r"%\((?:name|names|payer|dealer|owner|card|cards|suit|taken|what|game)\)s\w")
    entries = catalogue(language, domain).values()
    assert [form for entry in entries for form in entry.forms if stuck.search(form)] == []


NOT_ESTONIAN = {
    "a closing mark of another language": "”",
    "straight quotation marks": r'"',
    "a hyphen for a dash": r"[^\W_] - [^\W_]",
    "full stops for an ellipsis": r"\.\.\.",
    "a number grouped as in English": r"\d,\d{3}\b",
    "a number that breaks at the end of a line": r"\d \d{3}\b",
    "people addressed as several": r"(?i)\b(teie|teid|teile|teilt|teiega|salasõna\w*)\b",
}
"""What an Estonian reader would stumble over, and how it is found."""


def test_estonian_is_set_as_estonian_is() -> None:
    code = re.compile(r"`[^`]*`|<[^>]*>")
    found = [
        (what, form)
        for domain in ("django", "djangojs")
        for key, entry in catalogue("et", domain).items()
        if key[1]
        for form in entry.forms
        for what, pattern in NOT_ESTONIAN.items()
        if re.search(pattern, code.sub("", form))
    ]
    assert found == []


def test_sentences_are_set_with_curved_marks() -> None:
    """Names of fields, which migrations keep, are no sentences; one sentence tells which signs may be typed."""
    code, straight = re.compile(r"`[^`]*`|<[^>]*>"), re.compile(r"\"|[^\W\d_]'")
    shown = [text for domain in ("django", "djangojs") for _context, text in catalogue("et", domain)]
    sentences = [text for text in shown if text.endswith((".", "?", "!")) and " ' ’ " not in text]
    assert len(sentences) > 1000
    assert [text for text in sentences if straight.search(code.sub("", text))] == []


@pytest.mark.parametrize("language, domain", CATALOGUES)
def test_compiled_catalogues_are_those_of_the_sources(language: str, domain: str) -> None:
    """``manage.py compilemessages`` (or msgfmt) makes them anew; they are kept, for machines without gettext."""
    held = read_mo(path_of(language, domain, "mo").read_bytes())
    assert held == compiled(catalogue(language, domain))


def test_python_marks_texts_under_names_that_are_looked_for() -> None:
    """Under another name gettext and ``in_python`` pass a text by, and it stays English."""
    found = []
    for path in sources(".py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation":
                names = [(each.name, each.asname) for each in node.names if each.name in CALLS]
                found += [
                    f"{path.name}: {name} as {other}" for name, other in names if other and other not in CALLS
                ]
    assert found == []


def test_no_words_of_a_page_are_outside_of_every_mark() -> None:
    """Such a text was never asked of a catalogue, so that nothing failed and the page was half English."""
    pages = [path for ending in (".html", ".txt") for path in sources(ending, ROOT / "templates")]
    # The page of the design is for those who make the site.
    found = {path: unmarked_words(path.read_text("utf-8")) for path in pages if path.name != "style.html"}
    assert {path: words for path, words in found.items() if words} == {}


UNMARKED_IN_SCRIPT = re.compile(
    r"""(?:\b(?:say|alertReader|setText|setLine)\((?:[\w.$]*(?:\([^()]*\))?[\w.]*, )?|textContent = |\bel\("\w+", \{[^{}]*\}, )"""
    r"""(["`'][^"`']*[^\W\d_]{2})"""
)


def unmarked_in_script(script: str) -> list[str]:
    """Return what a script shows or says without asking the catalogue; what a template literal is filled with may be marked."""
    filled = re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "0", without_comments(script))
    return UNMARKED_IN_SCRIPT.findall(filled)


def test_no_words_of_a_script_are_outside_of_every_mark() -> None:
    found = {path: unmarked_in_script(path.read_text("utf-8")) for path in sources(".js")}
    assert {path: words for path, words in found.items() if words} == {}
    for script in (
        'say("No");',
        'setText($("a"), `No ${n}`)',
        'el("p", { id: "a" }, "No")',
        'a.textContent = "No"',
    ):
        assert unmarked_in_script(script), script
    for script in (
        'say(gettext("x"))',
        'el("p", { id: "no" }, gettext("x"))',
        'setText($("no"), `${gettext("x")}`)',
    ):
        assert not unmarked_in_script(script), script


def test_scripts_mark_plain_texts_only() -> None:
    """A template literal or a variable cannot be looked up in a catalogue, and nobody would find it."""
    calls = re.compile(r"(?<![\w.>])(?:gettext|ngettext|pgettext|npgettext)\((?!\s*[\"'])")
    found = {
        path.name: calls.findall(without_comments(path.read_text("utf-8")))
        for path in sources(".js")
        if path.name != "i18n.js"
    }
    assert {name: calls for name, calls in found.items() if calls} == {}


# The catalogues work ------------------------------------------------------------------------------------------------


def test_estonian_pages_say_it_in_estonian() -> None:
    with override("et"):
        assert gettext("Play now") == "Mängi kohe"
        assert pgettext("announcement", "Play") != gettext("Play")
        closed = [
            ngettext("%(count)d table was closed.", "%(count)d tables were closed.", n) for n in (0, 1, 2)
        ]
    assert closed == ["Suleti %(count)d lauda.", "Suleti %(count)d laud.", "Suleti %(count)d lauda."]


def test_forms_of_django_speak_in_the_words_of_the_site() -> None:
    """Django's own catalogue says "te" and "salasõna"; ours comes before it."""
    with override("et"):
        assert str(forms.Field.default_error_messages["required"]) == "See väli tuleb täita."
        assert str(validate_email.message) == "See ei ole e-posti aadress."
        assert MinimumLengthValidator(8).get_error_message() == (
            "Parool on liiga lühike. Selles peab olema vähemalt 8 märki."
        )


def test_what_django_says_is_named_as_django_says_it() -> None:
    """A sentence that a new version words otherwise would be Django's Estonian again, without anybody noticing."""
    folders = (Path(package.__file__ or "").parent for package in (django, allauth))
    files = [path for folder in folders for path in folder.rglob("locale/en/LC_MESSAGES/django.po")]
    theirs = {text for path in files for (_context, text), _entry in read_po(path.read_text("utf-8"))}
    ours = {text for (_context, text), _plural in in_python(ROOT / "config" / "wording.py")}
    assert ours
    assert ours - theirs == set()


def test_the_scripts_get_the_estonian_catalogue(client: Client) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "et"
    answer = client.get(reverse("javascript-catalog")).content.decode("utf-8")
    assert json.dumps("Your turn.") + ": " + json.dumps("Sinu kord.") in answer


def test_estonian_dates_are_not_written_the_american_way() -> None:
    moment = datetime(2026, 11, 3, 21, 5)
    with override("et"):
        assert date_format(moment, "SHORT_DATETIME_FORMAT") == "03.11.2026, 21:05"
        assert date_format(moment, "DATETIME_FORMAT") == "3.\xa0november 2026, 21:05"
        assert date_format(moment, "SHORT_DATE_FORMAT") == "03.11.2026"


# The checks see what they are for -----------------------------------------------------------------------------------


def test_marks_are_found_in_every_kind_of_source(tmp_path: Path) -> None:
    code = tmp_path / "code.py"
    code.write_text(
        'N_("one")\nx._("t" "wo")\nngettext("a card", "cards", n)\npgettext("day", "To")\n_(name)'
    )
    assert list(in_python(code)) == [
        ((None, "one"), None),
        ((None, "two"), None),
        ((None, "a card"), "cards"),
        (("day", "To"), None),
    ]
    page = tmp_path / "page.html"
    page.write_text(
        '{% load i18n %}{% translate "It\'s 5%" context "menu" %}{% include "a" with x=_("in") %}'
        "{% blocktranslate count n=all trimmed %}\n {{ n }} card\n{% plural %}\n {{ n }} cards{% endblocktranslate %}"
    )
    assert list(in_template(page)) == [
        (("menu", "It's 5%%"), None),
        ((None, "in"), None),
        ((None, "%(n)s card"), "%(n)s cards"),
    ]
    script = tmp_path / "script.js"
    script.write_text('gettext("a // b"); // gettext("no")\n/* gettext("no") */ ngettext(\n "x",\n "xs", n)')
    assert list(in_script(script)) == [((None, "a // b"), None), ((None, "x"), "xs")]


def test_unmarked_words_are_found() -> None:
    page = """{% block a %}<p title="Some {{ title }}">{% translate "marked" %} not</p>{# no #}<kbd>Esc</kbd>&nbsp;12 x
        {% blocktranslate %}marked{% endblocktranslate %}<input value="yes" aria-label='Others'>"""
    assert set(unmarked_words(page)) == {"Some", "Others", "not"}


def test_po_files_are_read_as_gettext_reads_them() -> None:
    text = (
        '#, fuzzy\nmsgid "a"\nmsgstr "b"\n\n#~ msgid "gone"\n#~ msgstr "x"\n\n'
        'msgctxt "c"\nmsgid ""\n"lo"\n"ng\\n"\nmsgid_plural "longs"\nmsgstr[0] "p"\nmsgstr[1] ""\n'
    )
    assert dict(read_po(text)) == {
        (None, "a"): Entry(None, ("b",), True),
        ("c", "long\n"): Entry("longs", ("p", ""), False),
    }
