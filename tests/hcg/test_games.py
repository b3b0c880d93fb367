"""Whole games from the set-up to the end, drawn from recorded decks and played by a script that knows only the catalogue."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from auditor.conformance.hcg.recorded import DECK_RUNS_OUT, game_of_a_deck_that_runs_out
from auditor.engine import audit_log
from tests.hcg.examples import FIXTURES, audited, judged, read
from tests.shares import WHOLE

GAMES = [path for path in sorted((FIXTURES / "games").glob("*.json")) if not path.name.endswith(".expected.json")]
CLAIMS = {
    "die", "amount", "armor", "destroyed", "step", "leftover", "decks", "atk", "dfd", "requirement", "totals", "winner",
    "face", "readied", "discarded", "rallied", "stat", "until", "stage",
}  # fmt: skip
NOT_FACTS = {("setup.coin", "winner")}
NUMBERS = {
    "damage": ("amount", "armor"),
    "sweep": ("leftover",),
    "victory.flags": ("atk", "dfd"),
    "setup.reveal": ("die",),
}


def stem(path: Path) -> str:
    return path.stem


def numbered(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events numbered anew, and with them what they say of each other."""
    now = {event["seq"]: n for n, event in enumerate(events, 1)}
    of = ("seq", "trigger", "roll", "reroll")
    return [{key: now[value] if key in of else value for key, value in event.items()} for event in events]


def test_there_are_games_that_end_in_each_way() -> None:
    ends = {path.stem: read(path)["events"][-1] for path in GAMES}
    assert {name: end.get("reason") for name, end in ends.items()} == {
        "two-sectors": "two_sectors",
        "four-turns": "turn4_total",
        "extra-turn": "extra_turn",
        "hidden-decks": "two_sectors",
        "in-short": "two_sectors",
        "deck-runs-out": "deck_loss",
    }


def test_one_game_hides_its_decks_and_one_is_written_in_short() -> None:
    """Of the first no card is named before it is shown; of the second no pass and no mark is written."""
    hidden, short = read(FIXTURES / "games" / "hidden-decks.json"), read(FIXTURES / "games" / "in-short.json")
    assert all("instances" not in player and player["deck"] for player in hidden["header"]["players"])
    assert not any(event.get("cards") or event.get("order") for event in hidden["events"] if event["type"] in TELL)
    assert (short["header"]["detail"], short["header"]["passes"]) == ("terse", "implied")
    assert {"tactic.pass", "ba.end", "victory.flags", "phase.start"}.isdisjoint(e["type"] for e in short["events"])


def ruled(log: dict[str, Any]) -> dict[str, Any]:
    """The audit of a game under the readings that its players named."""
    return judged(log, log["header"].get("rulings"))


def test_a_game_whose_deck_ran_out_need_not_say_that_it_ended_so() -> None:
    log = read(FIXTURES / "games" / f"{DECK_RUNS_OUT.name}.json")
    *events, end = log["events"]
    unsaid = {**log, "events": [*events, {key: value for key, value in end.items() if key != "reason"}]}
    assert ruled(log)["verdict"] == ruled(unsaid)["verdict"] == "clean"


def test_the_game_whose_deck_runs_out_is_made_as_its_recipe_says() -> None:
    kept = (FIXTURES / "games" / f"{DECK_RUNS_OUT.name}.json").read_text(encoding="utf-8")
    assert kept == game_of_a_deck_that_runs_out()


TELL = ("setup.shuffle", "reshuffle", "draw")


@pytest.mark.parametrize("path", GAMES, ids=stem)
def test_a_whole_game_is_clean_with_everything_checked(path: Path) -> None:
    audit = ruled(read(path))
    assert (audit["verdict"], audit["coverage"]["unchecked"]) == ("clean", [])
    assert not [found for found in audit["findings"] if found["stands"]]


def without_lists(log: dict[str, Any]) -> dict[str, Any]:
    """The same game with no list of any deck; what its instances are is shown at its first event."""
    ids = {one: card for player in log["header"]["players"] for one, card in player.get("instances", {}).items()}
    players = [
        {k: v for k, v in player.items() if k not in ("deck", "instances")} for player in log["header"]["players"]
    ]
    first, *others = log["events"]
    return {"header": {**log["header"], "players": players}, "events": [{**first, "ids": ids}, *others]}


def test_a_game_without_lists_of_its_decks_is_clean_and_its_refills_are_counted() -> None:
    """That a deck was empty is not verified, which is a note; how many cards were in the discard pile is counted."""
    log = without_lists(read(FIXTURES / "games" / "extra-turn.json"))
    audit = audited(log)
    assert (audit["verdict"], audit["coverage"]["unchecked"]) == ("clean", [])
    refills = [at for at, event in enumerate(log["events"]) if event["type"] == "reshuffle"]
    noted = [note["seq"] for note in audit["notes"] if note["rule"] == "HCG-ROLL-06" and note["kind"] == "unverifiable"]
    assert noted == [at + 1 for at in refills] and noted
    log["events"][refills[0]] = {**log["events"][refills[0]], "n": log["events"][refills[0]]["n"] - 1}
    found = [one for one in judged(log)["findings"] if one["stands"]]
    assert [(one["rule"], one["seq"]) for one in found] == [("HCG-ROLL-06", refills[0] + 1)]


@pytest.mark.parametrize("path", GAMES, ids=stem)
def test_claims_left_out_of_a_game_accuse_nobody(path: Path) -> None:
    log = read(path)
    chance = random.Random(1)
    for share in (0.3, 1.0):
        events = [
            {
                key: value
                for key, value in event.items()
                if key not in CLAIMS or (event["type"], key) in NOT_FACTS or chance.random() >= share
            }
            for event in log["events"]
        ]
        audit = ruled({**log, "events": events})
        assert audit["verdict"] == "clean", share


@pytest.mark.parametrize("path", GAMES, ids=stem)
def test_a_game_with_implied_passes_or_in_short_is_clean(path: Path) -> None:
    log = read(path)
    implied = [event for event in log["events"] if event["type"] != "tactic.pass"]
    short = {"tactic.pass", "ba.end", "victory.flags", "victory.discard", "end.ships", "phase.start"}
    terse = [event for event in log["events"] if event["type"] not in short]
    for more, events in (({"passes": "implied"}, implied), ({"detail": "terse"}, terse)):
        audit = ruled({"header": {**log["header"], **more}, "events": numbered(events)})
        assert audit["verdict"] == "clean", more


@pytest.mark.parametrize("path", GAMES, ids=stem)
def test_a_number_of_a_game_that_is_off_by_one_is_found_where_it_stands(path: Path) -> None:
    log = read(path)
    places = [
        (number, name)
        for number, event in enumerate(log["events"])
        for name in NUMBERS.get(event["type"], ())
        if name in event
    ]
    for number, name in random.Random(2).sample(places, min(12 if WHOLE else 5, len(places))):
        events = [dict(event) for event in log["events"]]
        events[number][name] += 1
        found = [one for one in ruled({**log, "events": events})["findings"] if one["stands"]]
        assert (found[0]["seq"], found[0]["kind"]) == (number + 1, "miscalculated"), (number + 1, name)


def test_a_fault_that_is_only_in_doubt_without_an_earlier_one_does_not_follow_from_it() -> None:
    """Without the flip of event 216 nobody can say what was fought with in turn 3: its faults are told by themselves."""
    log = (FIXTURES / "games" / "faulty-3.jsonl").read_bytes()
    findings = [one for one in audit_log(log, digest=False)["findings"] if one["stands"]]
    flip = next(one for one in findings if one["seq"] == 216)
    assert flip["kind"] == "illegal"
    assert [one["seq"] for one in findings if flip["id"] in one["depends_on"]] == []
