"""Every page of a sample as a string, and a reader that takes pages apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from auditor.report import lists, rulebook
from auditor.report.links import Links, Shell, shell
from auditor.report.onefile import onefile_html
from auditor.report.pages import report_page
from auditor.report.render import render
from auditor.report.replay import replay_page
from auditor.report.words import slug
from tests.report.samples import Sample

ADDRESSES = {word: f"/{word.lower()}" for word in ("Games", "Upload", "Rules", "Open questions", "Limits")}
LINKS = Links(
    rule=lambda rule: f"/rules/{slug(rule)}",
    reading=lambda reading: f"/readings#{slug(reading)}",
    finding=lambda ident: f"/report#f-{slug(ident)}",
    finding_json=lambda ident: f"/findings/{slug(ident)}",
    replay=lambda seq: f"/replay/{seq}",
    log_line=lambda line: f"/log#{line}",
    report="/report",
    replay_start="/replay",
    replay_jump="/replay",
    crumbs=(("Games", "/games"),),
    files=(("JSON", "/audit.json"),),
)


def around() -> Shell:
    """What stands round the pages of these tests."""
    return shell("/static/app.css", "/static/app.js", "/", ADDRESSES, "Games", "Rhea Stone")


def web_pages(sample: Sample) -> dict[str, str]:
    """Every page of the web that shows something of a sample, by its name."""
    shown = around()
    page = report_page(*sample.parts, LINKS)
    pages = {"report": render("report.html", shell=shown, page=page)}
    for frame in sample.frames[:1] + sample.frames[-1:]:
        event = replay_page(sample.audit, sample.frames, frame["seq"], *sample.parts[2:], LINKS)
        pages[f"replay-{frame['seq']}"] = render("replay.html", shell=shown, page=event)
    row = lists.game_row(sample.audit, sample.header, href="/report", when="today")
    pages["games"] = render("games.html", shell=shown, games=[row], upload_href="/upload")
    upload = lists.UploadRow('"><script>x</script>.jsonl', "2 KB", "audited", "clean", "/report", ())
    form = {"action": "/upload", "accepts": "JSONL", "rulings": [("1", '"><script>x</script>', True)]}
    pages["upload"] = render("upload.html", shell=shown, form=form, rows=[upload])
    pages["rules"] = render("rules.html", shell=shown, page=rulebook.rules_page(sample.rules, LINKS, "calth"))
    for rule in sample.rules[:2]:
        page_of_rule = rulebook.rule_page(rule, sample.readings, LINKS)
        pages[f"rule-{slug(rule['id'])}"] = render("rule.html", shell=shown, page=page_of_rule)
    pages["readings"] = render("readings.html", shell=shown, readings=rulebook.readings_page(sample.readings, LINKS))
    pages["limits"] = render("limits.html", shell=shown, least=3)
    error = {"title": "Not found", "code": 404, "message": '"><script>x</script>'}
    pages["error"] = render("error.html", shell=shown, error=error)
    return pages


def one_file(sample: Sample) -> str:
    """The report of a sample in one file."""
    return onefile_html(*sample.parts)


@dataclass
class Element:
    """A tag with its attributes and the text in it."""

    tag: str
    attrs: dict[str, str]
    text: str = ""


@dataclass
class Page(HTMLParser):
    """A page taken apart: its elements in order, and all its text."""

    elements: list[Element] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[Element] = []

    def __hash__(self) -> int:
        return id(self)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {k: v or "" for k, v in attrs})
        self.elements.append(element)
        if tag not in ("meta", "link", "input", "br", "img", "wbr"):
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {k: v or "" for k, v in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open[-1].tag == tag, (tag, [e.tag for e in self._open[-3:]])
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data
        for element in self._open:
            element.text += data

    def all(self, tag: str = "", cls: str = "") -> list[Element]:
        """The elements of a tag, of a class, or both."""
        return [
            e
            for e in self.elements
            if (not tag or e.tag == tag) and (not cls or cls in e.attrs.get("class", "").split())
        ]


def taken_apart(html: str) -> Page:
    """A page as elements; fails where a tag is not closed."""
    page = Page()
    page.feed(html)
    page.close()
    assert not page._open, [e.tag for e in page._open]
    return page
