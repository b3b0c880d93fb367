"""The report says what the audit holds: verdict first, acts before what follows from them, claims beside results."""

from __future__ import annotations

import copy
import html
import json
import re
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.report import onefile
from auditor.report.boards import Sheet
from auditor.report.boards.hex import HEX
from auditor.report.boards.pen import NOT_DRAWN
from auditor.report.casebook import Casebook
from auditor.report.compare import comparison
from auditor.report.links import Links
from auditor.report.lists import counts, game_row
from auditor.report.model import Assignments, ReportPage
from auditor.report.onefile import onefile_html
from auditor.report.pages import Lists, report_page
from auditor.report.render import render
from auditor.report.replay import replay_page
from auditor.report.rulebook import rule_page, rules_page
from auditor.report.timeline import Flag, parts_of, timeline
from auditor.report.words import dice, faces_in, label, paragraphs, unbroken, value_words
from tests.clx.examples import audited, example
from tests.report.golden import UNITS, board, unit
from tests.report.pages_of import LINKS, one_file, taken_apart, web_pages
from tests.report.samples import Sample, sample


@pytest.fixture(scope="module")
def full() -> Sample:
    return sample("full")


@pytest.fixture(scope="module")
def page(full: Sample) -> ReportPage:
    return report_page(*full.parts, LINKS)


def test_the_first_screen_says_the_verdict_and_counts_acts_apart_from_what_follows(page: ReportPage) -> None:
    assert page.word == "Findings"
    assert page.sentences == (
        "5 to decide: 3 for Ines Aldana and 2 for Tomasz Birk.",
        "3 more follow from them.",
    )
    assert [c.name if c else None for c in page.columns] == ["Ines Aldana", "Tomasz Birk"]
    assert {t.kind: t.cells for t in page.tally} == {
        "illegal": ((2, 2), (0, 1)),
        "miscalculated": ((0, 0), (2, 0)),
        "omitted": ((1, 0), (0, 0)),
        "ambiguous": ((0, 0), (1, 0)),
    }
    assert page.total == ((3, 2), (2, 1))
    assert page.asides == (
        "1 act could not be judged.",
        "1 more would count if this event had answered an open question differently.",
        "1 fault in events that were taken back, which does not count.",
    )


def test_what_follows_is_folded_under_its_earliest_root_however_long_the_chain(page: ReportPage) -> None:
    folded = {c.rule: [f.rule for f in c.consequences] for c in page.cases}
    assert folded == {
        "CAL-RUN-03": [],
        "CAL-SHT-02": [],
        "CAL-LOS-02": ["CAL-OBS-03", "CAL-ACT-02"],
        "CAL-RET-01": ["CAL-PIN-01"],
        "CAL-ATK-06": [],
    }


def test_a_finding_that_follows_only_from_one_that_does_not_stand_is_counted_by_itself(full: Sample) -> None:
    audit = copy.deepcopy(full.audit)
    los = next(f for f in audit["findings"] if f["rule"] == "CAL-LOS-02")
    los["stands"] = False
    shown = report_page(audit, *full.parts[1:])
    assert "CAL-OBS-03" in [c.rule for c in shown.cases]
    assert [c.rule for _, cases, _ in shown.only_under for c in cases] == ["CAL-LOS-01", "CAL-LOS-02"]


def test_causes_in_a_circle_lose_nothing(full: Sample) -> None:
    audit = copy.deepcopy(full.audit)
    a, b = (f for f in audit["findings"] if f["rule"] in ("CAL-RUN-03", "CAL-SHT-02"))
    a["depends_on"], b["depends_on"] = [b["id"]], [a["id"]]
    shown = report_page(audit, *full.parts[1:])
    rules = [c.rule for c in shown.cases] + [f.rule for c in shown.cases for f in c.consequences]
    assert {"CAL-RUN-03", "CAL-SHT-02"} <= set(rules)


def test_every_finding_is_somewhere_on_the_page_and_only_once(full: Sample) -> None:
    html = one_file(full)
    for finding in full.audit["findings"]:
        assert html.count(f'id="f-{finding["id"]}"') == 1


def test_a_player_is_named_with_the_id_that_the_log_uses(full: Sample) -> None:
    """Sentences of a game say "p1" or "UM" as the log does; whom they mean stands on the same page."""
    heading = taken_apart(one_file(full)).all("h1")[0].text
    players = full.header["players"]
    assert all(f"{player['name']} ({player['id']})" in heading for player in players), heading


def test_what_does_not_stand_has_a_place_of_its_own(page: ReportPage) -> None:
    assert [c.rule for c in page.ambiguous] == ["CAL-AUD-05"] and page.ambiguous[0].would_be == "illegal"
    assert [
        ([(o.reading, o.option) for o in options], [c.rule for c in cases]) for options, cases, _ in page.only_under
    ] == [([("R-LOS-VERTEX", "blocks")], ["CAL-LOS-01"])]
    assert [c.rule for c in page.set_aside] == ["CAL-ADV-01"]


def test_rulings_say_what_decides_what_differs_and_what_is_open(page: ReportPage) -> None:
    lines = {r.words: [(o.reading, o.option) for o in r.options] for r in page.rulings}
    assert lines["1 open question decides a finding here"] == [("R-LOS-EDGEMIX", "counts")]
    assert lines["1 answer of 5 differs from the default"] == [("R-ACT-PASS", "pass_allowed")]
    assert lines["1 left open"] == [("R-GLY-CHAIN", "open")]
    assert [e.text for e in taken_apart(one_file(sample("full"))).all("p", "warn")] == list(page.header_notes)
    assert "in force is counts" in page.header_notes[0]


def test_what_could_not_be_checked_stands_on_the_first_screen(page: ReportPage) -> None:
    assert page.not_checked == ("event 22: the card “Hymn of Ash” is not in the data pack (CAL-ACT-03)",)


def test_a_clean_verdict_says_how_much_was_looked_at() -> None:
    shown = report_page(*sample("clean").parts)
    assert shown.word == "Clean"
    assert shown.sentences == ("No fault in 32 events.", "11 rules checked, 594 checks in all.")
    assert "Everything that applied could be checked." in one_file(sample("clean"))


def test_incomplete_never_sounds_clean_and_shows_the_errors_with_their_places() -> None:
    shown = report_page(*sample("incomplete").parts)
    assert shown.sentences[0] == "No fault stands, but not everything could be checked."
    text = taken_apart(one_file(sample("incomplete"))).text
    assert "line 17" in text and "the nearest is um-3" in text and "a unit of this record" in text


def test_where_an_act_could_not_be_judged_not_everything_could_be_checked() -> None:
    one = sample("incomplete")
    one.audit["coverage"]["unchecked"] = []
    text = taken_apart(one_file(one)).text
    assert "What could not be judged. Everything else that applied could be checked." in text
    assert "Everything that applied could be checked." not in text


def test_an_unreadable_log_shows_its_errors_and_no_counts() -> None:
    html = one_file(sample("unreadable"))
    assert "no header that can be used" in html and "By kind and player" not in html
    assert "the nearest is <code>calth</code>" in html


def test_of_an_unreadable_log_nothing_is_said_to_have_been_checked() -> None:
    html = one_file(sample("unreadable"))
    assert "of a log whose header cannot be used no event is replayed and no rule is asked" in html
    assert "declared" not in html


def test_an_audit_with_nothing_in_it_has_a_page() -> None:
    assert "Clean" in one_file(sample("empty"))
    assert all(web_pages(sample("empty")).values())


@pytest.mark.parametrize(("claimed", "recomputed", "signs"), [
    ({"a": 1, "b": 2}, {"a": 1, "b": 3}, ["≠", "="]),
    ({"a": 1}, {"a": 1, "b": 3}, ["=", ""]),
    ({"a": 1}, None, [""]),
    (None, {"a": 1}, [""]),
    (None, None, []),
    ("clear", "obscured", ["≠"]),
    (3, 3, ["="]),
    (None, 3, [""]),
    ({"b": {"x": 0, "y": 1}}, {"b": {"x": 2, "y": 1}}, ["≠", "="]),
    ({"a": None}, {"a": 0}, ["≠"]),
    ({"a": "1"}, {"a": 1}, ["≠"]),
    ({}, {}, []),
])  # fmt: skip
def test_only_what_was_claimed_is_compared(claimed: Any, recomputed: Any, signs: list[str]) -> None:
    assert [r.sign for r in comparison(claimed, recomputed)] == signs


def test_blocks_are_compared_number_by_number_and_lists_stay_whole() -> None:
    rows = comparison(
        {"bonuses": {"obscured": 0}, "steps": [{"a": 1}]}, {"bonuses": {"obscured": 2}, "steps": [{"a": 1}]}
    )
    assert [(r.name, r.sign) for r in rows] == [("bonuses, obscured", "≠"), ("steps", "=")]


@pytest.mark.parametrize(("value", "key", "words"), [
    ([[0, 0], [1, -1]], "path", "0,0 → 1,-1"),
    ([[0, 0], [1, -1]], "edge", "0,0 | 1,-1"),
    ([[0, 0], [1, -1]], "hexes", "0,0 · 1,-1"),
    ([2, 5], "hex", "2,5"),
    (True, "due", "yes"),
    (None, "x", "nothing"),
    (-3, "x", "-3"),
    ("21/4", "x", "21/4"),
    ({"tp_after": 1}, "x", "TP after 1"),
    (["a", "b"], "x", "a, b"),
    ([], "x", "none"),
])  # fmt: skip
def test_values_are_read_as_a_player_would_say_them(value: Any, key: str, words: str) -> None:
    assert value_words(value, key, HEX) == words


def test_values_of_any_depth_and_length_stay_printable() -> None:
    deep: Any = "x"
    for _ in range(200):
        deep = {"a": [deep]}
    assert len(value_words(deep)) < 200
    assert len(value_words("x" * 10_000)) <= 240
    assert "more" in value_words(list(range(10_000)))


def test_one_undone_act_counts_neither_as_a_fault_nor_as_undecided(full: Sample) -> None:
    audit = copy.deepcopy(full.audit)
    unsure = next(f for f in audit["findings"] if f["kind"] == "ambiguous")
    unsure["undone"] = True
    shown = report_page(audit, *full.parts[1:])
    assert not shown.ambiguous and "CAL-AUD-05" in [c.rule for c in shown.set_aside]
    assert all(cell == (0, 0) for t in shown.tally if t.kind == "ambiguous" for cell in t.cells)


def test_ids_stay_whole_in_sentences_and_everything_is_escaped() -> None:
    said = unbroken("um-3 <b>moves</b> to -1,-4 & re-rolls; " + "x-" * 200)
    assert said.startswith('<span class="unbroken">um-3</span> &lt;b&gt;moves&lt;/b&gt; to -1,-4 &amp; ')
    assert '<span class="unbroken">re-rolls</span>;' in said and said.count("<span") == 2
    assert html.unescape(re.sub("<[^>]+>", "", said)) == "um-3 <b>moves</b> to -1,-4 & re-rolls; " + "x-" * 200


def test_dice_are_drawn_and_spelled() -> None:
    drawn = dice(["C", "H", "?", "Z"], HEX)
    assert 'aria-label="critical, hit, not rolled, Z"' in drawn
    assert re.findall(r'href="#d-(\w)"', drawn) == ["C", "H", "x", "B"] and ">Z</text>" in drawn


@pytest.mark.parametrize(("key", "value", "faces"), [
    ("roll", "CHSB", ["C", "H", "S", "B"]), ("faces for a1", ["S", "?"], ["S", "?"]), ("name", "CHSB", None),
    ("roll", "none", None), ("roll", 7, None), ("roll", "", None), ("faces", "C" * 61, None),
])  # fmt: skip
def test_dice_are_known_by_the_name_of_their_field(key: str, value: Any, faces: list[str] | None) -> None:
    assert faces_in(key, value) == faces


def test_the_working_shows_the_parts_of_a_number(page: ReportPage) -> None:
    run = page.cases[0]
    assert [(w.value, w.name, w.parts) for w in run.working] == [
        ("1", "steps allowed", "2 of a run − 1 lost on entering rubble")
    ]
    shot = next(c for c in page.cases if c.rule == "CAL-LOS-02")
    assert [w.name for w in shot.working if w.dice] == ["faces of the attack", "faces for a8"]


def test_a_finding_shows_its_readings_with_the_one_in_force_first(page: ReportPage) -> None:
    case = page.only_under[0][1][0]
    assert not case.scope.every
    assert next(row.in_force for row in case.scope.clears)
    assert not any(row.in_force for row in case.scope.holds)
    standing = next(c for c in page.cases if c.rule == "CAL-LOS-02")
    assert [row.in_force for row in standing.scope.holds] == [True]


def test_a_reading_is_asked_by_its_question_with_its_id_in_small(full: Sample) -> None:
    known = {reading["id"]: reading["question"] for reading in full.parts[3]}
    asked = re.findall(
        r'<span class="qa">([^<]*) <b[^>]*>.*?</b> <small class="code"><(?:a|span)[^>]* class="rid">([^<]+)</',
        one_file(full),
    )
    assert {ident for _, ident in asked} >= {"R-LOS-EDGEMIX", "R-LOS-VERTEX"}
    for question, ident in asked:
        assert html.unescape(re.sub("<[^>]+>", "", question)) == known[ident]


def test_what_nobody_alone_did_is_of_both_players(full: Sample) -> None:
    audit = copy.deepcopy(full.audit)
    audit["findings"][0]["player"] = None
    shown = report_page(audit, *full.parts[1:], LINKS)
    assert shown.cases[0].who == "both players" and "1 for both players" in " ".join(shown.sentences)
    assert "nobody" not in " ".join(e.text for e in taken_apart(render("_report.html", page=shown)).all("table"))


def test_boards_before_and_after_show_the_same_ground_and_say_what_changed(page: ReportPage) -> None:
    before, after = page.cases[0].pictures
    box = re.compile(r'viewBox="([^"]+)"')
    assert box.findall(before.svg())[0] == box.findall(after.svg())[0]
    assert after.caption == "um-3 moved 8,4 → 7,6, TP 2 → 1"
    assert [m[0] for m in before.marks] == ["A", "B", "C", "D"]


def test_an_effect_that_the_table_tells_is_not_told_twice_and_odds_gain_and_remedy_are_shown(full: Sample) -> None:
    audit = copy.deepcopy(full.audit)
    changed = [{"what": "TPs of um-3", "as_logged": 1, "as_it_should_be": 0, "as_if_not_done": None}]
    finding = audit["findings"][0]
    finding["effect"] = {
        "changed": changed,
        "odds": [{"of": "um-3 stays", "chance": "11/36", "text": "um-3 stays: 11 of 36"}],
        "gain": finding["player"],
        "text": "TPs of um-3: 1 as logged, 0 as it should be. From event 9 on nobody can tell: it rests on this.",
    }
    finding["remedy"] = {"code": "GP-11", "text": "Set it to the right value."}
    case = next(one for one in report_page(audit, *full.parts[1:]).cases if one.id == finding["id"])
    assert case.effect == "From event 9 on nobody can tell: it rests on this."
    assert [(one.what, one.logged, one.right, one.undone) for one in case.changed] == [("TPs of um-3", "1", "0", None)]
    (odds,) = case.odds
    assert (odds.fraction, odds.words) == ("11/36", "11 in 36") and 'width="36.7"' in odds.bar
    assert case.gain.startswith("To the advantage of ") and case.remedy == "Set it to the right value."
    other = next(side for side in (case.side.id, "UM", "WB") if case.side and side != case.side.id)
    finding["effect"]["gain"] = other
    case = next(one for one in report_page(audit, *full.parts[1:]).cases if one.id == finding["id"])
    assert "harmed their own side" in case.gain


def test_changes_between_boards_are_put_into_words() -> None:
    before = board(*UNITS, unit("um-9", "UM", [0, 1]))
    after = board(unit("um-1", "UM", [-1, 1], 1, (2,)), UNITS[1], unit("wb-7", "WB", [1, -1]))
    after["edges"] = [{"edge": [[0, 0], [0, 1]], "feature": "door_open"}, *before["edges"][1:]]
    said = HEX.changes(before, after)
    assert "um-1 moved 0,0 → -1,1, without Line, TP 2 → 1" in said
    assert "wb-7 appears in 1,-1" in said and "um-9 is gone" in said and "0,0 | 0,1 door open" in said
    assert HEX.changes(before, before) == ""


def test_a_report_of_a_long_game_stays_small(full: Sample) -> None:
    long = _long_game(full)
    html = onefile_html(*long.parts)
    boards = html.count('<svg class="board')
    assert boards >= 60 + 6, "a board for each finding and for each round"
    assert len(html.encode()) <= 2_000_000


def test_one_file_has_so_many_of_each_list_and_of_the_events_and_counts_the_others(full: Sample, monkeypatch) -> None:
    whole = one_file(full)
    assert "not told in this file" not in whole
    every = re.findall(r'id="(f-[^"]+)"', whole)
    monkeypatch.setattr(onefile, "MOST_LISTED", 1)
    monkeypatch.setattr(onefile, "MOST_EVENTS", 20)
    cut = one_file(full)
    kept = re.findall(r'id="(f-[^"]+)"', cut)
    assert kept and set(kept) < set(every)
    lists = Lists(Casebook(*full.parts, Links(), Sheet()))
    beyond = {len(found) - 1 for found in lists.all().values() if len(found) > 1}
    assert beyond and all(f"{n} more {'is' if n == 1 else 'are'} counted and not listed" in cut for n in beyond)
    assert f"{len(full.frames) - 20:,} more are not told in this file." in cut
    assert re.findall(r'<li id="e-(\d+)"', cut) == [str(frame["seq"]) for frame in full.frames[:20]]
    page = taken_apart(cut)
    ids = {e.attrs["id"] for e in page.all() if "id" in e.attrs}
    assert {e.attrs["href"][1:] for e in page.all("a") if e.attrs["href"].startswith("#")} <= ids


def test_a_board_that_one_file_has_no_room_for_is_said_not_to_be_drawn(full: Sample, monkeypatch) -> None:
    whole = one_file(full)
    assert str(NOT_DRAWN) not in whole
    monkeypatch.setattr(onefile, "MOST_DRAWN", 1)
    cut = one_file(full)
    assert cut.count('<svg class="board') == 1 < cut.count(str(NOT_DRAWN))
    assert re.findall(r'id="(f-[^"]+)"', cut) == re.findall(r'id="(f-[^"]+)"', whole)


def test_the_page_of_an_event_tells_so_many_of_its_findings_and_counts_the_others(full: Sample) -> None:
    one = full.audit["findings"][0]
    frames = [{**full.frames[0], "seq": n} for n in range(1, 4)]
    places = [1] * 5 + [2] * 6 + [3] * 120
    findings = [{**one, "id": f"{n:020x}", "seq": seq, "stands": True} for n, seq in enumerate(places)]
    at = replay_page({**full.audit, "findings": findings}, frames, 3, *full.parts[2:], LINKS)
    assert (len(at.cases), at.more) == (100, 20)
    assert [(len(line.cases), line.more) for line in at.events] == [(5, 0), (5, 1), (5, 115)]
    html = render("_replay.html", page=at)
    assert "20 more findings of this event are in the report." in html
    assert re.findall(r"and \d+ more", html) == ["and 1 more", "and 115 more"]


def _long_game(full: Sample) -> Sample:
    """300 events, 60 findings, 130 hexes and 18 units, every board another one."""

    def bigger(drawn: dict[str, Any] | None, n: int) -> dict[str, Any] | None:
        if not drawn:
            return drawn
        out = copy.deepcopy(drawn)
        out["hexes"] += [[q, r, "open"] for r in range(8, 14) for q in range(-3, 7)]
        out["units"] += [{**u, "id": f"x{u['id']}", "hex": [i, 9]} for i, u in enumerate(copy.deepcopy(out["units"]))]
        for i, u in enumerate(out["units"]):
            u["tp"], u["hex"] = (n + i) % 3, [u["hex"][0], u["hex"][1] + (n * i) % 2]
        return out

    frames, findings = [], []
    for n in range(300):
        old = full.frames[n % len(full.frames)]
        frames.append(
            {**old, "seq": n + 1, "moment": {"part": f"Round {1 + n // 50}"}, "board": bigger(old["board"], n)}
        )
    for n in range(60):
        old = full.audit["findings"][n % len(full.audit["findings"])]
        evidence = {**old["evidence"], **{k: bigger(old["evidence"][k], n) for k in ("before", "after")}}
        findings.append(
            {**old, "id": f"{n:020x}", "seq": 5 * n + 1, "depends_on": [], "stands": True, "evidence": evidence}
        )
    return Sample({**full.audit, "findings": findings}, frames, full.rules, full.readings, full.header)


def test_signs_of_the_first_and_the_last_event_lie_within_the_strip() -> None:
    frames = [{"seq": seq} for seq in range(1, 401)]
    drawn = timeline(frames, [Flag(seq, "illegal", "said", "#f") for seq in (1, 200, 400)])
    places = [float(x) for x in re.findall(r'class="tl-hit" x="([^"]+)"', drawn)]
    assert places[0] == 0 and places[-1] == 1160 - 24 and 560 < places[1] < 580


def test_the_strip_names_its_parts_where_there_is_room_for_the_name() -> None:
    def frame(seq: int, part: str) -> dict[str, Any]:
        return {"seq": seq, "moment": {"part": part, "short": "", "text": part}}

    frames = [frame(1, "Before the battle"), *(frame(n, "Turn 1") for n in range(2, 20))]
    strip = timeline(frames, [])
    assert "<title>Before the battle</title>" in strip and ">Before the battle</text>" not in strip
    assert ">Turn 1</text>" in strip


def test_the_strip_has_every_finding_and_lanes_for_those_that_crowd() -> None:
    names = ["", "Round 1", "Round 2", "Round 3"]
    frames = [{"seq": n, "moment": {"part": names[n // 4] or "Set-up"}} for n in range(1, 13)]
    flags = [Flag(5, "illegal", "a", "#a"), Flag(5, "omitted", "b", "#b"), Flag(7, "illegal", "c", None, 5)]
    drawn = timeline(frames, [*flags, Flag(99, "illegal", "not in the game", None)], now=7)
    assert parts_of(frames) == [("Set-up", 0, 2), ("Round 1", 3, 6), ("Round 2", 7, 10), ("Round 3", 11, 11)]
    places = re.findall(r'<svg class="k \w+" x="(\S+)" y="(\S+)"', drawn)
    assert len(places) == len(set(places)) == 3
    assert drawn.count("tie") == 1 and drawn.count("tl-now") == 1
    assert timeline([], flags) == ""


def test_the_replay_walks_from_event_to_event_and_from_finding_to_finding(full: Sample) -> None:
    at = replay_page(full.audit, full.frames, 18, *full.parts[2:], LINKS)
    assert (at.previous, at.next) == ((17, "/replay/17"), (19, "/replay/19"))
    assert (at.previous_finding, at.next_finding) == ((11, "/replay/11"), (20, "/replay/20"))
    assert [c.rule for c in at.cases] == ["CAL-LOS-02", "CAL-OBS-03"]
    assert [r[0] for r in at.parts] == ["Set-up", "Round 1", "Round 2", "Round 3", "Round 4"]
    assert at.part == "Round 3" and [e.seq for e in at.events if e.now] == [18]
    first = replay_page(full.audit, full.frames, 1, *full.parts[2:], LINKS)
    last = replay_page(full.audit, full.frames, 32, *full.parts[2:], LINKS)
    assert first.previous is None and first.previous_finding is None and last.next is None and last.next_finding is None
    with pytest.raises(KeyError):
        replay_page(full.audit, full.frames, 99, *full.parts[2:], LINKS)


def test_the_replay_page_needs_no_script(full: Sample) -> None:
    html = web_pages(full)["replay-32"]
    page = taken_apart(html)
    ways = [(e.attrs.get("rel"), e.attrs.get("accesskey"), e.attrs["href"]) for e in page.all("a", "btn")]
    assert ("prev", "p", "/replay/31") in ways
    assert [e.attrs["href"] for e in page.all("link") if e.attrs.get("rel") == "prev"] == ["/replay/31"]
    assert {e.attrs["href"] for e in page.all("a")} >= {f"/replay/{n}" for n in (1, 3, 10, 16, 28)}, (
        "a jump to each round"
    )


def test_the_replay_shows_every_unit_in_words(full: Sample) -> None:
    at = replay_page(full.audit, full.frames, 18, *full.parts[2:], LINKS)
    assert [s.id for s, _ in at.beside] == ["UM", "WB"]
    row = next(u for _, rows in at.beside for u in rows if u.id == "wb-2")
    assert (row.place, row.models, row.bulk, row.tp, row.acting) == (
        "2,5", "Line (boltgun), Line (boltgun), Gunner (meltagun)", "3", "1", True)  # fmt: skip


def test_links_that_lead_nowhere_are_words(full: Sample) -> None:
    html = str(report_page(*full.parts, Links()))
    assert "None" not in re.findall(r'href="([^"]*)"', html)
    page = taken_apart(one_file(full))
    assert not [e for e in page.all("a") if e.attrs["href"] in ("", "None")]


def test_one_file_holds_the_game_and_the_rules_and_readings_that_it_names(full: Sample) -> None:
    html = one_file(full)
    for seq in (1, 18, 32):
        assert f'id="e-{seq}"' in html
    assert 'id="rule-CAL-LOS-02"' in html and 'id="rule-CAL-CRT-06"' not in html
    assert 'id="reading-R-LOS-EDGEMIX"' in html and 'id="reading-R-ACT-PASS"' in html
    assert full.audit["digest"] in html and full.audit["log_sha256"] in html and "auditor verify AUDIT.json LOG" in html


def test_the_same_audit_gives_the_same_bytes(full: Sample) -> None:
    assert one_file(full) == one_file(sample("full"))


def test_a_page_changes_nothing_in_what_it_is_given(full: Sample) -> None:
    before = json.dumps(full.parts)
    one_file(full)
    web_pages(full)
    assert json.dumps(full.parts) == before


def test_a_rule_says_its_chapter_source_events_and_why_it_cannot_be_audited(full: Sample) -> None:
    dice_rule = next(r for r in full.rules if r["id"] == "CAL-DIE-04")
    shown = rule_page(dice_rule, full.readings, LINKS)
    assert shown.why_not == "Whether a die was thrown and read fairly is in no log."
    corner = rule_page(next(r for r in full.rules if r["id"] == "CAL-LOS-01"), full.readings, LINKS)
    assert corner.why_not == "" and [r.id for r in corner.readings] == ["R-LOS-VERTEX", "R-LOS-TIP"]
    chapters = rules_page(full.rules, LINKS).chapters
    assert sum(len(rules) for _, _, rules in chapters) == len(full.rules)


def test_docstrings_become_paragraphs() -> None:
    text = "One\n   two.\n\nThree.\nLog: a\nEdge: b"
    assert paragraphs(text) == ["One two.", "Three.", "Log: a", "Edge: b"]
    assert [label(n) for n in ("tp_after", "steps.0.shields", "los.class", "units.wb-5.tp", ".", "0")] == [
        "TP after", "step 1, shields", "line of sight, class", "units, wb-5, TP", ".", "0"]  # fmt: skip


def test_lists_say_in_a_line_what_became_of_a_game(full: Sample) -> None:
    assert counts(full.audit) == "5 to decide, 3 more follow; 1 could not be judged"
    row = game_row(full.audit, full.header, href="/x", when="today")
    assert (row.word, row.match) == ("Findings", "Lantern Cup, round 3, table 7")


def test_what_no_rule_was_called_for_names_no_rule() -> None:
    chosen = sample("incomplete")
    audit, frames, rules, readings, header = chosen.parts
    coverage = {**audit["coverage"], "unchecked": [{"seq": 3, "rule": None, "why": "line 4 cannot be read"}]}
    page = report_page({**audit, "coverage": coverage}, frames, rules, readings, header)
    assert page.not_checked == ("event 3: line 4 cannot be read",)
    assert page.coverage.unchecked[0][:2] == ("", None)


OPTIONS = {"R-A": ("x", "y"), "R-B": ("one", "two", "three"), "R-C": ("no", "yes")}
EVERY = [dict(zip(OPTIONS, picked, strict=True)) for picked in product(*OPTIONS.values())]


@given(st.lists(st.sampled_from(EVERY), min_size=1, unique_by=lambda one: tuple(one.values())))
def test_assignments_that_are_told_as_one_say_what_they_said_apart(chosen: list[dict[str, str]]) -> None:
    """Multiplied out again, each assignment is there once; a reading that is not named stands for all its options."""
    audit, frames, rules, _, header = sample("clean").parts
    readings = [
        {"id": name, "default": options[0], "options": [{"id": one} for one in options]}
        for name, options in OPTIONS.items()
    ]
    book = Casebook(audit, frames, rules, readings, header, Links(), Sheet())
    told = book.scope({"scope": {"kind": "only_under", "holds": chosen}}).holds
    again = [
        picked
        for row in told
        for named in [{of[0].reading: [option.option for option in of] for of in row.options}]
        for picked in product(*(named.get(name, options) for name, options in OPTIONS.items()))
    ]
    assert sorted(again) == sorted(tuple(one.values()) for one in chosen)
    assert len(told) <= len(chosen)
    if len(chosen) == len(EVERY):
        assert told == (Assignments(()),)


def test_the_picture_of_a_slip_that_is_seen_later_says_which_moment_it_shows() -> None:
    log = example("CLX-SHOOT-07b/illegal-left-out").log
    (finding,) = audited(log)["findings"]
    assert (finding["seq"], finding["seen_at"]) == (4, 5)
    book = Casebook({"findings": [finding]}, (), (), (), log["header"], Links(), Sheet())
    titles = [one.title for one in book.pictures(finding)]
    assert titles[0] == "Before event 5, where the slip at event 4 is seen"
    assert all("event 5" in one for one in titles[:2])
    (header, *_) = book.pictures({**finding, "seq": 0, "seen_at": 1})
    assert header.title == "Before event 1, where the slip in the header is seen"
    (same, *_) = book.pictures({**finding, "seen_at": 4})
    assert same.title == "Before event 4, and the act"


def test_what_is_settled_by_what_was_meant_says_by_which_finding() -> None:
    told = sample("full").parts[0]["findings"][0]
    meant = {"seq": 3, "explains": [told["id"]], "settles": ["open"], "or": [], "text": "If …"}
    open_ = {**told, "id": "open", "kind": "ambiguous", "stands": False, "meant": None}
    book = Casebook({"findings": [{**told, "seq": 7, "meant": meant}, open_]}, (), (), (), {}, Links(), Sheet())
    assert (
        book.case(open_, deep=False).meant == "see the finding at event 7; if that is so, this act is as it should be."
    )
