"""A line that is missing is named as the rules tell it, where no line that stands nearby is like it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from auditor.conformance.logs import as_jsonl
from auditor.engine import audit_log
from tests.examples import FIXTURES

Line = dict[str, Any]


def lines_of(game: str) -> list[Line]:
    path = FIXTURES / f"{game}"
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    log = json.loads(path.read_text(encoding="utf-8"))
    return [log["header"], *log["events"]]


def without(lines: list[Line], lost: int) -> list[Line]:
    """Lines without one, numbered anew as if it had never been, and what they say of each other with them."""
    left = [line for n, line in enumerate(lines) if n != lost]
    now = {line["seq"]: n for n, line in enumerate(left) if n}
    of = ("seq", "trigger", "roll", "reroll", "attack")
    return [{key: now.get(value, value) if key in of else value for key, value in line.items()} for line in left]


def told(lines: list[Line], rule: str) -> list[Line]:
    """What may be missing where a rule accuses first: the explanation and those that are as good."""
    findings = audit_log(as_jsonl(lines).encode(), digest=False)["findings"]
    one = next(one for one in findings if one["stands"] and one["rule"] == rule)
    assert one["meant"] is not None, one["text"]
    return [found["missing"] for found in (one["meant"], *one["meant"]["or"]) if "missing" in found]


def places(game: str, rule_of: dict[tuple[str, str | None], str], *, every: int = 1) -> list[tuple[str, int, str]]:
    """(game, place, rule) of the lines of some types, and of some cause, whose lack a rule tells."""
    lines = lines_of(game)
    rules = ((n, rule_of.get((line["type"], line.get("cause")))) for n, line in enumerate(lines))
    return [(game, n, rule) for n, rule in rules if rule is not None][::every]


DRAWS: dict[tuple[str, str | None], str] = {
    ("draw", "deployment"): "HCG-DEP-01",
    ("draw", "command"): "HCG-BSET-07",
}


@pytest.mark.parametrize(("game", "place", "rule"), places("hcg/games/two-sectors.json", DRAWS))
def test_a_hand_that_no_line_draws(game: str, place: int, rule: str) -> None:
    lines = lines_of(game)
    lost = lines[place]
    drawn = {name: lost[name] for name in ("type", "by", "n", "to", "cause")}
    assert drawn in told(without(lines, place), rule)


DEPLOYED: dict[tuple[str, str | None], str] = {("deploy.regular", None): "HCG-DEP-04"}


@pytest.mark.parametrize(("game", "place", "rule"), places("hcg/games/two-sectors.json", DEPLOYED, every=3))
def test_a_card_that_no_line_deploys_may_lie_at_any_open_sector(game: str, place: int, rule: str) -> None:
    lines = lines_of(game)
    found = told(without(lines, place), rule)
    assert found
    assert {(one["type"], one["by"]) for one in found} == {("deploy.regular", lines[place]["by"])}
    assert lines[place]["sector"] in {one["sector"] for one in found}


ACTIVATED: dict[tuple[str, str | None], str] = {("activate", None): "CAL-ACT-02"}


@pytest.mark.parametrize(("game", "place", "rule"), places("calth/games/clean-1.jsonl", ACTIVATED, every=8))
def test_an_activation_that_no_line_has(game: str, place: int, rule: str) -> None:
    lines = lines_of(game)
    lost = lines[place]
    activated = {name: lost[name] for name in ("type", "player", "unit", "tp_before", "tp_after", "action")}
    found = told(without(lines, place), rule)
    assert activated in [{name: one[name] for name in activated if name in one} for one in found]


def test_a_missing_line_is_told_in_a_sentence_and_given_with_the_fields_that_a_log_has_for_it() -> None:
    lines = lines_of("hcg/games/two-sectors.json")
    place = next(n for n, line in enumerate(lines) if line["type"] == "draw" and line["cause"] == "deployment")
    findings = audit_log(as_jsonl(without(lines, place)).encode(), digest=False)["findings"]
    one = next(one for one in findings if one["rule"] == "HCG-DEP-01" and one["stands"])
    assert "If a line of Bo's is missing before event 17 (draws 6 cards for deployment), " in one["meant"]["text"]
    assert one["meant"]["missing"].items() >= {"type": "draw", "by": "p2", "n": 6, "to": "deploy_hand"}.items()


FIRST_WAVE: dict[tuple[str, str | None], str] = {
    ("deploy.first", None): "HCG-FW-04",
    ("setup.flip", None): "HCG-BSET-03",
}


@pytest.mark.parametrize(("game", "place", "rule"), places("hcg/games/extra-turn.json", FIRST_WAVE, every=3))
def test_no_line_is_named_after_which_what_is_left_out_would_be_due_no_longer(game: str, place: int, rule: str) -> None:
    lines = lines_of(game)
    left_out = standing(without(lines, place))
    assert rule == "HCG-FW-04" or [one["rule"] for one in left_out] == [rule]
    meant = [found for one in left_out if one["meant"] for found in (one["meant"], *one["meant"]["or"])]
    assert {found["missing"]["type"] for found in meant if "missing" in found} <= {lines[place]["type"]}


def standing(lines: list[Line]) -> list[Line]:
    """The findings that stand and follow from no other."""
    findings = audit_log(as_jsonl(lines).encode(), digest=False)["findings"]
    return [one for one in findings if one["stands"] and not one["depends_on"]]


def meant(one: Line) -> list[Line]:
    """The missing lines that a finding names."""
    told = (one["meant"], *one["meant"]["or"]) if one["meant"] else ()
    return [found["missing"] for found in told if "missing" in found]


TACTICS: dict[tuple[str, str | None], str] = {("tactic", None): "HCG-TAC-02"}


@pytest.mark.parametrize(("game", "place", "rule"), places("hcg/games/extra-turn.json", TACTICS))
def test_a_tactic_that_no_line_has_is_named_where_the_other_player_goes_on(game: str, place: int, rule: str) -> None:
    lines = lines_of(game)
    lost = lines[place]
    found = standing(without(lines, place))
    assert [one["rule"] for one in found] in ([], [rule])
    wanted = {"type": "tactic", "by": lost["by"]}
    assert all(wanted in [{name: one.get(name) for name in wanted} for one in meant(one)] for one in found)


PLACED: dict[tuple[str, str | None], str] = {("place", None): "CAL-SET-02"}


@pytest.mark.parametrize(("game", "place", "rule"), places("calth/games/clean-1.jsonl", PLACED, every=3))
def test_a_model_that_no_line_places_is_one_finding_with_where_it_may_have_stood(
    game: str, place: int, rule: str
) -> None:
    lines = lines_of(game)
    found = standing(without(lines, place))
    assert [one["rule"] for one in found] == [rule]
    wanted = {"type": "place", "model": lines[place]["model"]}
    assert wanted in [{name: one[name] for name in wanted} for one in meant(found[0])]


ROUND: dict[tuple[str, str | None], str] = {("tp_refresh", None): "CAL-RDY-02", ("initiative", None): "CAL-INI-01"}


@pytest.mark.parametrize(("game", "place", "rule"), places("calth/games/clean-1.jsonl", ROUND, every=2))
def test_what_begins_a_round_and_no_line_has_is_one_finding(game: str, place: int, rule: str) -> None:
    lines = lines_of(game)
    found = standing(without(lines, place))
    assert [one["rule"] for one in found] == [rule]
    assert lines[place]["type"] in {one["type"] for one in meant(found[0])}
    if lines[place]["type"] == "initiative":
        assert " have the initiative, " in found[0]["meant"]["text"]


def of_type(game: str, kind: str) -> list[tuple[str, int]]:
    """(game, place) of the lines of a type."""
    return [(game, n) for n, line in enumerate(lines_of(game)) if line["type"] == kind]


@pytest.mark.parametrize(("game", "place"), of_type("hcg/games/extra-turn.json", "block"))
def test_a_block_that_no_line_has_is_named_where_the_damage_goes_to_its_unit(game: str, place: int) -> None:
    lines = lines_of(game)
    (found,) = standing(without(lines, place))
    wanted = {name: lines[place][name] for name in ("type", "by", "unit")}
    assert wanted in [{name: one.get(name) for name in wanted} for one in meant(found)]


@pytest.mark.parametrize(("game", "place"), of_type("hcg/games/extra-turn.json", "sweep"))
def test_a_sweep_that_no_line_has_is_named_where_its_window_opens(game: str, place: int) -> None:
    """Another rule looks at its damage then than the one that accuses it."""
    lines = lines_of(game)
    (found,) = standing(without(lines, place))
    wanted = {name: lines[place][name] for name in ("type", "by", "unit", "target")}
    assert [{name: one.get(name) for name in wanted} for one in meant(found)] == [wanted]


def test_a_tactic_that_no_line_has_stood_before_what_it_did() -> None:
    lines = lines_of("hcg/games/two-sectors.json")
    assert [line["type"] for line in lines[105:108]] == ["tactic", "effect", "tactic.pass"]
    (found,) = standing(without(lines, 105))
    assert (found["rule"], found["meant"]["seq"]) == ("HCG-TAC-02", 105)
    assert {name: found["meant"]["missing"][name] for name in ("type", "by")} == {"type": "tactic", "by": "p1"}
