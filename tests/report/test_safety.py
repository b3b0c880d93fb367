"""Whatever players wrote, a page shows it as words; nothing is set inline; one file asks for nothing."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from auditor.report.onefile import onefile_csp
from auditor.report.words import slug, tidy
from tests.report.pages_of import one_file, taken_apart, web_pages
from tests.report.samples import NAMES, sample

TAGS = frozenset(
    [
        "html",
        "head",
        "meta",
        "title",
        "link",
        "script",
        "style",
        "body",
        "a",
        "svg",
        "defs",
        "pattern",
        "rect",
        "path",
        "symbol",
        "circle",
        "text",
        "g",
        "use",
        "wbr",
        "desc",
        "header",
        "nav",
        "ul",
        "ol",
        "li",
        "main",
        "div",
        "span",
        "h1",
        "h2",
        "h3",
        "p",
        "section",
        "table",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "th",
        "td",
        "dl",
        "dt",
        "dd",
        "i",
        "b",
        "small",
        "bdi",
        "br",
        "details",
        "summary",
        "figure",
        "figcaption",
        "article",
        "footer",
        "code",
        "form",
        "input",
        "label",
        "select",
        "option",
        "button",
        "kbd",
        "caption",
    ]
)


@pytest.fixture(scope="module", params=NAMES)
def pages(request: pytest.FixtureRequest) -> dict[str, str]:
    """All the pages of one sample."""
    chosen = sample(request.param)
    return {**web_pages(chosen), "onefile": one_file(chosen)}


def test_every_page_is_well_formed_and_sets_nothing_inline(pages: dict[str, str]) -> None:
    for name, html in pages.items():
        page = taken_apart(html)
        for element in page.elements:
            assert element.tag in TAGS, (name, element)
            assert "style" not in element.attrs, (name, element)
            assert not [a for a in element.attrs if a.startswith("on")], (name, element)
            for where in ("href", "src", "action"):
                address = element.attrs.get(where, "")
                assert not address or re.match(r"(/|#|\?|data:,$)", address), (name, where, address)
        styles, scripts = page.all("style"), page.all("script")
        if name == "onefile":
            assert len(styles) == 1 and not scripts
        else:
            assert not styles
            assert [s.attrs for s in scripts] == [{"src": "/static/app.js", "defer": ""}] and not scripts[
                0
            ].text.strip()


def test_no_page_holds_signs_that_disturb_the_reading(pages: dict[str, str]) -> None:
    for name, html in pages.items():
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", html), name
        html.encode("utf-8")


def test_ids_are_unique_and_every_place_that_is_pointed_to_is_there(pages: dict[str, str]) -> None:
    for name, html in pages.items():
        page = taken_apart(html)
        ids = [e.attrs["id"] for e in page.elements if "id" in e.attrs]
        assert len(ids) == len(set(ids)), (name, [i for i in ids if ids.count(i) > 1][:3])
        wanted = {e.attrs["href"][1:] for e in page.elements if e.attrs.get("href", "").startswith("#")}
        wanted |= {i for e in page.elements for i in e.attrs.get("aria-labelledby", "").split()}
        wanted |= {m for e in page.elements for m in re.findall(r"url\(#([^)]+)\)", e.attrs.get("fill", ""))}
        assert wanted <= set(ids), (name, sorted(wanted - set(ids))[:5])


def test_the_attack_is_on_the_page_as_words() -> None:
    page = taken_apart(one_file(sample("hostile")))
    assert "<script>alert(1)</script>" in page.text
    assert any("alert(1)" in e.text for e in page.all("desc")), "the picture's description says it too"


def test_one_file_asks_for_nothing_and_says_so() -> None:
    html = one_file(sample("full"))
    page = taken_apart(html)
    policy = next(e.attrs["content"] for e in page.all("meta") if e.attrs.get("http-equiv"))
    assert policy == onefile_csp() and policy.startswith("default-src 'none'")
    css = re.search(r"<style>(.*?)</style>", html, re.S)
    assert css is not None
    digest = base64.b64encode(hashlib.sha256(css.group(1).encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy
    assert "@import" not in css.group(1) and not re.search(r"url\(", css.group(1))
    assert not re.search(r"https?:", html)


def test_tidy_takes_out_what_cannot_be_shown_and_keeps_everything_else() -> None:
    given = {"a\x00": ["\u202eb", 3, None, True, {"c": "\ud800"}], "hexes": [[0, 0, "open"]], "path": ["\x07"]}
    assert tidy(given) == {
        "a\ufffd": ["\ufffdb", 3, None, True, {"c": "\ufffd"}],
        "hexes": [[0, 0, "open"]],
        "path": ["\ufffd"],
    }
    assert tidy("naïve — “日本” 👩‍🚀\n") == "naïve — “日本” 👩‍🚀\n"


def test_a_slug_is_one_word_and_two_texts_never_share_one() -> None:
    texts = ["CAL-LOS-01", 'a"b', "a b", "a.22b", "é", "", "a_b", "a-b"]
    slugs = [slug(t) for t in texts]
    assert len(set(slugs)) == len(texts)
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]*", s) for s in slugs)
