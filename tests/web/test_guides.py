"""The first page says what this is and leads on; pages of the documentation are read in the browser."""

from __future__ import annotations

import re

import pytest

from auditor.web.guide import GUIDES, docs_dir


def test_the_first_page_says_what_this_is_and_leads_to_the_guide_and_the_format(browser):
    first = browser.page("/")
    assert "every event of it is played again by the rules" in first
    for address in ("/guide/report-guide", "/guide/log-format", "/guide/log-format#a-smallest-log-of-each-game"):
        assert f'href="{address}"' in first
    assert "played again by the rules" not in browser.page("/audits?verdict=clean")


def test_what_the_first_page_leads_to_is_there(browser):
    page = browser.page("/guide/log-format")
    assert 'id="a-smallest-log-of-each-game"' in page and 'id="fields"' in page
    assert "&quot;type&quot;:&quot;header&quot;" in page and "smallest of calth" not in page


@pytest.mark.parametrize("name", GUIDES)
def test_every_guide_is_a_page_whose_links_lead_somewhere(browser, name):
    page = browser.page(f"/guide/{name}")
    folder = docs_dir()
    assert folder is not None
    title = (folder / f"{name}.md").read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    assert re.search(rf'<h1 id="[\w-]+">{re.escape(title)}</h1>', page)
    article = page[page.index("<article") :]
    for name, mark in re.findall(r'<a href="([^"#]*)#?([^"]*)"', article):
        there = browser.page(f"/guide/{name}") if name else page
        assert not mark or f'id="{mark}"' in there, (name, mark)


def test_other_files_of_the_documentation_are_not_served(browser):
    for name in ("operating", "..%2Fpyproject", "report.png"):
        assert browser.get(f"/guide/{name}").status_code == 404
