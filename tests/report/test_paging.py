"""Long lists of a report: every entry on one page, and what an audit counts beyond its lists is said."""

from __future__ import annotations

import copy

import pytest

from auditor.report import paging
from auditor.report.boards import Sheet
from auditor.report.casebook import Casebook
from auditor.report.pages import build_report, further_pages, report_page
from auditor.report.paging import Pager
from auditor.report.render import render
from tests.report.pages_of import LINKS
from tests.report.samples import Sample, sample


@pytest.fixture(scope="module")
def full() -> Sample:
    return sample("full")


@pytest.mark.parametrize("count", [0, 1, 99, 100, 101, 250, 10_000])
def test_the_pages_of_a_list_have_all_of_it_once(count: int) -> None:
    entries = list(range(count))
    seen: list[int] = []
    for number in range(1, max(1, -(-count // 100)) + 1):
        pager = Pager(lambda name, n: f"{name}/{n}", True, ("notes", number))
        seen += pager.cut("notes", entries)
        assert pager.cut("errors", entries) == []
        part = pager.parts["notes"]
        assert (part.count, part.number) == (count, number)
        assert [n for n, _, here in part.pages if here] == ([number] if count > 100 else [])
        assert len(part.pages) <= 7
    assert seen == entries
    assert list(Pager(lambda *_: None, False).cut("notes", entries)) == entries


def test_each_list_of_a_report_is_cut_and_together_the_pages_have_all(full: Sample, monkeypatch) -> None:
    whole = report_page(*full.parts, LINKS)
    monkeypatch.setattr(paging, "ON_A_PAGE", 1)
    book = Casebook(*full.parts, LINKS, Sheet())
    book.elsewhere = further_pages(book)
    for name, entries in (("findings", whole.cases), ("ambiguous", whole.ambiguous), ("errors", whole.errors)):
        found = []
        for number in range(1, len(entries) + 1):
            page = build_report(book, paged=True, only=(name, number))
            shown = {"findings": page.cases, "ambiguous": page.ambiguous, "errors": page.errors}
            assert [key for key, listed in shown.items() if listed] == [name]
            found += shown[name]
        assert [getattr(one, "id", one) for one in found] == [getattr(one, "id", one) for one in entries]
    follower, root = next(iter(book.roots.items()))
    assert book.elsewhere.get(follower) == book.elsewhere.get(root)


def test_notes_and_findings_of_one_reading_stay_together_over_pages(full: Sample, monkeypatch) -> None:
    whole = report_page(*full.parts, LINKS)
    monkeypatch.setattr(paging, "ON_A_PAGE", 2)
    book = Casebook(*full.parts, LINKS, Sheet())
    notes, apart = [], []
    for number in range(1, 40):
        notes += [(g.title, *n) for g in build_report(book, paged=True, only=("notes", number)).notes for n in g.notes]
        apart += build_report(book, paged=True, only=("only_under", number)).only_under
    assert notes == [(group.title, *note) for group in whole.notes for note in group.notes]
    assert [case.id for _, cases, _ in apart for case in cases] == [c.id for _, cs, _ in whole.only_under for c in cs]
    assert {count for _, _, count in apart} == {len(cases) for _, cases, _ in whole.only_under}


def test_what_is_counted_and_not_listed_is_in_the_first_sentences(full: Sample) -> None:
    audit = copy.deepcopy(full.parts[0])
    audit["errors"] = [{"line": 1, "path": "", "found": "x", "expected": "y", "nearest": None}] * 3
    audit["more"] = {"errors": 28_000, "findings": 1, "unchecked": 5}
    page = report_page(audit, *full.parts[1:], LINKS)
    assert "28,003 places in the file could not be read." in page.sentences
    assert "1 further finding is counted and not listed." in page.asides
    html = render("_report.html", page=page)
    assert "28,000 more are counted and not listed." in html
