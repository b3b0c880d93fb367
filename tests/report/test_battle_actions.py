"""A battle action on one strip: from its block over both players' tactics to the damage, and the disputed event in it."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from auditor.engine import timeline
from auditor.report.boards.cards.action import ACTIONS
from auditor.report.boards.kind import Line
from auditor.report.links import Links
from auditor.report.model import Passage
from auditor.report.onefile import onefile_html
from auditor.report.pages import report_page
from auditor.report.passages import IN_SIGHT
from auditor.report.render import render
from auditor.report.replay import replay_page
from tests.hcg.examples import FIXTURES
from tests.report.pages_of import LINKS, around, taken_apart
from tests.report.test_tables_of_cards import BOARD

SUM: dict[str, Any] = {
    "mark": "sum",
    "card": "p2-53",
    "title": "Salt Pikes (p2-53)",
    "stat": "firepower",
    "parts": [["printed", 5], ["Salt Pikes", 2]],
    "total": 7,
    "against": "armor 1",
    "outcome": "destroyed",
}
HEADER = {"players": [{"id": "p1", "name": "Ione Vasquez"}, {"id": "p2", "name": "Tobias Renn"}]}

GAME = FIXTURES / "games" / "faulty-2.jsonl"


@cache
def events() -> tuple[dict[str, Any], ...]:
    """The events of a recorded game in words."""
    return tuple(timeline(GAME.read_bytes(), texts=True))


def told(first: int, last: int, *apart: int, marks: dict[int, Any] | None = None) -> list[str]:
    """The lines of these events: their numbers, set in by as many dots as they are deep, and their words."""
    found = [event for event in events() if first <= event["seq"] <= last]
    lines = ACTIONS.lines(found, {seq - first for seq in apart}, {seq - first: m for seq, m in (marks or {}).items()})

    def one(line: Line) -> str:
        numbers = "+".join(str(found[place]["seq"]) for place in line.places)
        return " | ".join((f"{'.' * line.depth}{numbers} {line.text}", *line.reckoned))

    return [one(line) for line in lines]


def finding(seq: int, **more: Any) -> dict[str, Any]:
    """A finding at an event of that game."""
    plain = {"id": f"f{seq}", "rule": "HCG-SHOOT-07", "kind": "miscalculated", "stands": True, "seq": seq}
    values = {"claimed": {"destroyed": False}, "recomputed": {"destroyed": True}, "text": "A sentence."}
    return {**plain, **values, "player": "p2", "evidence": {"before": BOARD, "marks": [SUM]}, **more}


def audit(*findings: dict[str, Any]) -> dict[str, Any]:
    return {"verdict": "findings", "game": "hcg", "findings": list(findings)}


def passage(seq: int, **more: Any) -> Passage | None:
    """The strip of a finding at an event."""
    return report_page(audit(finding(seq, **more)), events(), (), (), HEADER, LINKS).cases[0].passage


def test_an_attack_is_told_from_its_shot_over_the_tactics_to_the_damage_with_its_sum() -> None:
    assert told(401, 407, marks={406: [SUM]}) == [
        "401 Salt Pikes (p2-53) shoots at Bramble Bastion (p1-30)",
        ".402 plays the ability of Salt Pikes (p2-53)",
        "..403 modify +2 firepower for Salt Pikes (p2-53)",
        ".404+405 pass",
        "406 Salt Pikes (p2-53) deals 7 damage to Bramble Bastion (p1-30), armor 1: it survives"
        " | by the rules: firepower 7 = 5 printed + 2 Salt Pikes, against armor 1: destroyed",
    ]


def test_a_roll_within_a_roll_and_a_reaction_within_a_tactic_stand_below_what_opened_them() -> None:
    assert [line[: line.index(" ")] for line in told(350, 368)] == [
        "350",
        *(".351", "..352", ".353+354", ".355", "..356", "...357", "....358", "....359", ".....360", "....361+362"),
        *("...363", "..364+365", ".366", ".367"),
    ]
    assert told(56, 62)[1:] == [
        "..57 pays: discard Tide Walkers (p2-14)",
        "...58 reacts with the command line of Copper Bridgehead (p2-43)",
        "....59 discarded Example: bikes of armor 2 (p1-25)",
        "...60+61 pass",
        "..62 modify +1 firepower for Amber Pikes (p2-57)",
    ]


def test_a_disputed_pass_and_a_disputed_end_have_a_line_of_their_own() -> None:
    assert told(404, 407, 405, 407)[:2] == [".404 passes on tactics", ".405 passes on tactics"]
    assert told(404, 407, 405, 407)[-1] == "407 the battle action ends"
    assert len(told(404, 407)) == 2


def test_an_effect_of_another_card_than_the_one_above_it_names_that_card() -> None:
    assert told(42, 73)[-1].endswith(", by the command line of Example: a walker of armor 4 (p1-40)")


def test_the_spans_are_the_actions_of_the_log_and_nothing_between_them_is_in_one() -> None:
    spans = [(events()[a]["seq"], events()[b]["seq"]) for a, b in ACTIONS.spans(events())]
    assert {(303, 336), (350, 368), (392, 400), (401, 407)} <= set(spans)
    assert all(one[1] < other[0] for one, other in pairwise(spans))
    assert not any(first <= seq <= last for first, last in spans for seq in (416, 417, 420, 421, 425))
    # A charge is told by its event. An action without an end is over where the next begins, or the battle ends.
    types = ["ba.charge", "ba.end", "ba.shoot", "block", "damage", "ba.shoot", "block", "damage", "battle.end", "draw"]
    assert ACTIONS.spans([{"type": one} for one in types]) == [(2, 4), (5, 7)]


def test_a_record_that_starts_within_an_action_shows_it_from_there() -> None:
    types = ["position", "judge", "tactic.pass", "tactic.pass", "damage", "ba.end", "effect", "effect", "effect"]
    assert ACTIONS.spans([{"type": one} for one in types]) == [(2, 5)]


def test_a_finding_marks_its_event_and_says_what_is_claimed_beside_what_is_recomputed() -> None:
    found = passage(406)
    assert found is not None and found.title == "This battle action" and [words for words, _ in found.parts] == [""]
    *before, here = found.parts[0][1]
    assert here.is_here and not any(line.is_here or line.rows for line in before)
    assert [(row.name, row.claimed.words, row.recomputed.words) for row in here.rows] == [("destroyed", "no", "yes")]  # type: ignore[union-attr]
    passes = [(said.side.name, said.href) for said in before[-1].events if said.side is not None]
    assert passes == [("Ione Vasquez", "/replay/404"), ("Tobias Renn", "/replay/405")]
    assert [said.icon for said in here.events] == ["mis"] and here.events[0].side is None
    assert passage(417) is None and passage(None) is None  # type: ignore[arg-type]


def test_a_long_action_keeps_its_start_its_end_and_what_is_round_the_finding() -> None:
    found = passage(313, claimed=2, recomputed=1)
    assert found is not None
    open_ = [line for words, part in found.parts if not words for line in part]
    folded = {words: part for words, part in found.parts if words}
    assert len(open_) + len(folded) <= IN_SIGHT
    assert [said.seq for line in open_ for said in line.events][:2] == [303, 304]
    assert [said.seq for line in open_ for said in line.events][-3:] == [333, 334, 335]
    assert list(folded) == ["4 more events", "14 more events, 1 of them a pass"]
    every = [said.seq for _, part in found.parts for line in part for said in line.events]
    assert every == list(range(303, 336))


def test_a_game_without_such_passages_has_none() -> None:
    board = {"kind": "unheard of"}
    assert passage(406, evidence={"before": board, "marks": []}) is None


def test_it_comes_first_in_the_finding_and_stands_on_the_page_of_its_event() -> None:
    parts = (audit(finding(406)), events(), (), (), HEADER)
    written = render("report.html", shell=around(), page=report_page(*parts, LINKS))
    page = taken_apart(written)
    (strip,) = page.all("div", "passage")
    assert written.index('class="passage"') < written.index('class="board cards')
    assert "Tobias Renn: plays the ability of Salt Pikes (p2-53)" in " ".join(strip.text.split())
    assert "destroyed: the log says no, the rules give yes" in " ".join(strip.text.split())
    assert {e.attrs["href"] for e in page.all("a")} >= {f"/replay/{seq}" for seq in range(401, 407)}
    event = replay_page(parts[0], [{**e, "board": BOARD} for e in events()], 402, (), (), HEADER, LINKS)
    (strip,) = taken_apart(render("replay.html", shell=around(), page=event)).all("div", "passage")
    assert "by the rules: firepower 7 = 5 printed" in strip.text and event.passage is not None
    assert [line.is_here for line in event.passage.parts[0][1]] == [False, True, False, False, False]


def test_without_addresses_and_in_one_file_it_is_there_too() -> None:
    page = report_page(audit(finding(406)), events(), (), (), HEADER, Links())
    (strip,) = taken_apart(render("report.html", shell=around(), page=page)).all("div", "passage")
    assert "Salt Pikes (p2-53) shoots at Bramble Bastion (p1-30)" in strip.text
    page_of_file = taken_apart(onefile_html(audit(finding(406)), events(), (), (), HEADER))
    assert {e.attrs.get("href") for e in page_of_file.all("a")} >= {f"#e-{seq}" for seq in range(401, 407)}


TYPES = [json.loads(line)["type"] for line in GAME.read_bytes().splitlines()[301:420]]
"""Of the events 301 to 419."""
ANY = st.builds(
    lambda kind, player, text: {"type": kind, "player": player, "text": text},
    st.sampled_from([*TYPES, "roll.final", "reaction", "reaction.pass", "modifier", "position", "undo", "odd", ""]),
    st.sampled_from([None, "p1", "p2"]),
    st.sampled_from(["", "p1: plays", "modify, by ", "passes on tactics"]),
)


@given(st.lists(ANY, max_size=40), st.sets(st.integers(0, 40)))
def test_whatever_stands_in_a_log_each_event_is_told_once_and_in_order(found: list[Any], apart: set[int]) -> None:
    for first, last in ACTIONS.spans(found):
        part = found[first : last + 1]
        places = [place for line in ACTIONS.lines(part, apart, {}) for place in line.places]
        ends = {at for at, event in enumerate(part) if event["type"] == "ba.end"}
        assert places == [at for at in range(len(part)) if at not in ends - apart]
        assert all(line.depth >= 0 for line in ACTIONS.lines(part, apart, {}))
