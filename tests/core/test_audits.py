"""The audit as a value: ids, content, order, verdict, digest."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.core.audit import sealed, sealed_json, verdict
from auditor.core.canonical import LARGEST, canonical, digest, encoded
from auditor.core.findings import Fault, Figure, total
from auditor.core.plain import Plain, plain
from auditor.core.ruleset import not_auditable, rule
from tests.core.cards import CARDS, Block, Damage, Play, Reveal
from tests.core.helpers import audited, numbered
from tests.core.inches import INCHES, EndPhase, Move, Shoot
from tests.core.machines import MACHINE, Act

AT_ZERO = {"where": {"a": "0", "b": "0"}}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-LARGEST, LARGEST), TEXTS),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(TEXTS, inner)),
    max_leaves=20,
)


@given(VALUES)
def test_canonical_json_is_that_of_the_standard(value):
    assert canonical(value) == encoded(value) == rfc8785.dumps(value)


def test_every_character_is_written_as_the_standard_has_it():
    for first in range(0, 0x110000, 0x800):
        if first != 0xD800:  # surrogates, which no text holds
            text = "".join(chr(code) for code in range(first, first + 0x800))
            assert encoded({text: [text]}) == rfc8785.dumps({text: [text]}), hex(first)
    keys = {chr(code): code for code in range(0, 0x110000, 0x101) if not 0xD800 <= code < 0xE000}
    assert len(keys) > 4000
    assert encoded(keys) == rfc8785.dumps(keys)


def test_what_is_too_deep_for_the_fast_way_goes_the_slow_one():
    value = [1]
    for _ in range(300):
        value = [value]
    assert encoded(value) == canonical(value) == rfc8785.dumps(value)


def test_an_audit_and_its_json_come_from_one_encoding():
    value, written = sealed_json({"b": [1, "\u00e9"], "engine": "x", "a": {"z": None, "y": True}, "digest": "old"})
    assert written == rfc8785.dumps(value)
    assert value["digest"] == sealed({key: part for key, part in value.items() if key != "digest"})["digest"]
    assert value["digest"] == digest({key: part for key, part in value.items() if key != "digest"})


def test_keys_are_ordered_by_utf16_code_units():
    value = {"\U0001f600": 1, "\ufb33": 2, "a": {"\U0001f600": [], "\ufb33": 0}}
    assert canonical(value) == encoded(value) == rfc8785.dumps(value)
    assert list(json.loads(canonical(value))) == ["a", "\U0001f600", "\ufb33"]


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (1.0, TypeError),
        ([1.5], TypeError),
        ({"a": {1: 2}}, TypeError),
        ({1}, TypeError),
        (Fraction(1), TypeError),
        ({"\U0001f600": 1, "b": 1.0}, TypeError),
        (2**53, ValueError),
        (-(2**53), ValueError),
        ("\ud800", ValueError),
    ],
)
def test_what_may_not_stand_in_an_audit_is_refused(value, error):
    with pytest.raises(error):
        canonical(value)
    if not any(kind in repr(value) for kind in ("1.0", "1.5")):  # floats are looked for by the walk only
        with pytest.raises(error):
            encoded(value)


ANYTHING = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters()), st.fractions(), st.binary()
    ),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(st.characters()), inner), st.tuples(inner)),
    max_leaves=10,
)


@given(ANYTHING)
def test_whatever_a_log_claims_can_be_quoted(value):
    said = plain(value)
    assert json.loads(canonical(said)) == json.loads(json.dumps(said))
    assert plain(said) == said
    assert encoded(said) == canonical(said)


@given(ANYTHING)
def test_drawings_are_made_plain_like_everything_else(value):
    assert Plain()(value) == plain(value)


def test_what_is_plain_is_not_copied():
    ground = [[0, 1, "open"]]
    board = {"hexes": ground, "units": [{"id": "\ud800"}]}
    made = Plain()
    assert made(board) == {"hexes": ground, "units": [{"id": "\\ud800"}]}
    assert made(board)["hexes"] is ground and made(ground) is ground


def test_numbers_that_no_audit_may_hold_are_quoted():
    assert plain({"a": 10**30, "b": 0.1, "c": Fraction(21, 4), "d": "\ud800", "e": frozenset("ba"), "f": True}) == {
        "a": "1" + "0" * 30,
        "b": "0.1",
        "c": "21/4",
        "d": "\\ud800",
        "e": ["a", "b"],
        "f": True,
    }
    assert len(plain(b"x" * 1000)) == 200


@given(st.text(st.characters()), st.text(st.characters()))
@example("A", "\ud800")
@example("\ud800", "a")
def test_a_log_may_hold_any_text(player, unit):
    value = audited(INCHES, [Move(1, player, unit, "9")], header={"where": {unit: "0"}})
    assert value["findings"] and value["digest"] == sealed(value)["digest"]


def test_an_id_is_that_of_what_was_done_and_not_of_what_it_came_to():
    one = audited(INCHES, numbered(Move(0, "A", "a", "9")), header=AT_ZERO)["findings"][0]
    assert (
        one["id"]
        == digest({"game": "inches", "rule": "INCH-MOVE", "seq": 1, "player": "A", "subject": ["a"], "n": 1})[:20]
    )
    assert (
        one["content"]
        == digest({"kind": "illegal", "claimed": "9", "recomputed": "6", "scope": {"kind": "every_reading"}})[:20]
    )
    farther = audited(INCHES, numbered(Move(0, "A", "a", "10")), header=AT_ZERO)["findings"][0]
    assert farther["id"] == one["id"] and farther["content"] != one["content"]
    newer = audited(replace(INCHES, version="2"), numbered(Move(0, "A", "a", "9")), header=AT_ZERO)
    assert newer["findings"][0]["id"] == one["id"] and newer["findings"][0]["content"] == one["content"]


def test_ids_survive_a_longer_record():
    events = numbered(Move(0, "A", "a", "9"), Move(0, "A", "b", "9"), Move(0, "A", "a", "1"), EndPhase(0))
    longer = audited(INCHES, events, header=AT_ZERO)
    shorter = audited(INCHES, events[:2], header=AT_ZERO)
    assert [one["id"] for one in shorter["findings"]] == [one["id"] for one in longer["findings"]][:2]


def test_faults_that_are_alike_are_numbered():
    program = ("is", 2)
    value = audited(MACHINE, numbered(Act(0, 0, ("is", 0), limit=program)))
    names = [
        {"game": "machine", "rule": "MAC-LIMIT", "seq": 1, "player": None, "subject": ["r0"], "n": n} for n in (1, 2)
    ]
    assert [one["id"] for one in value["findings"]] == sorted(digest(name)[:20] for name in names)


def test_faults_that_are_alike_in_events_of_one_number_are_numbered():
    events = [Move(1, "A", "a", "9"), Move(1, "A", "a", "18")]
    value = audited(INCHES, events, header=AT_ZERO)
    assert len({one["id"] for one in value["findings"]}) == 2


def test_findings_are_sorted_by_the_event_that_they_belong_to():
    events = numbered(
        Play(0, "A", None, "x", 1),
        Play(0, "A", "crow", "y"),
        Damage(0, "A", "y", 2),
        Block(0, "B", "y"),
        Reveal(0, "A", "x", "bear"),
        Damage(0, "A", "y", 3),
    )
    value = audited(CARDS, events)
    order = [(one["seq"], one["rule"], one["subject"], one["id"]) for one in value["findings"]]
    assert order == sorted(order) and [one["seq"] for one in value["findings"]] == [1, 3, 4, 6]


def test_the_player_is_the_one_whose_act_it_is():
    def check(event, resolved, position, hearing):
        for player in ("", "B", None):
            yield Fault("X-1", "illegal", "Wrong.", (str(player),), player, rests_on=())

    check.__doc__ = "A rule."
    game = replace(
        INCHES, rules=(rule("X-1", "X", chapter="X", source="toy", events=["move"], kinds=["illegal"])(check),)
    )
    value = audited(game, numbered(Move(0, "A", "a", "1")), header=AT_ZERO)
    assert {one["subject"][0]: one["player"] for one in value["findings"]} == {"": "A", "B": "B", "None": None}


@pytest.mark.parametrize(
    ("findings", "unchecked", "said"),
    [
        ([], False, "clean"),
        ([], True, "incomplete"),
        ([("illegal", True, False)], False, "findings"),
        ([("illegal", True, False)], True, "findings"),
        ([("illegal", False, False)], False, "clean"),
        ([("illegal", False, False)], True, "incomplete"),
        ([("ambiguous", False, False)], False, "incomplete"),
        ([("ambiguous", False, False), ("omitted", True, False)], False, "findings"),
        ([("ambiguous", False, True)], False, "clean"),
        ([("omitted", False, True)], False, "clean"),
    ],
)
def test_the_verdict_is_the_first_that_applies(findings, unchecked, said):
    values = [{"kind": kind, "stands": stands, "undone": undone} for kind, stands, undone in findings]
    assert verdict(values, unchecked) == said


def test_every_rule_is_in_exactly_one_list():
    silent = not_auditable("INCH-2", "X", "why", "text", chapter="X", source="toy")
    game = replace(INCHES, rules=(*INCHES.rules, silent))
    given_rulings = {"not_audited": {"INCH-2": "x", "INCH-UNDUE": "y"}}
    coverage = audited(game, numbered(Move(0, "A", "a", "1")), given_rulings, header=AT_ZERO)["coverage"]
    lists = [
        *(one["rule"] for one in coverage["rules_run"]),
        *coverage["rules_idle"],
        *(one["rule"] for one in coverage["rules_not_auditable"]),
    ]
    assert sorted(lists) == sorted(one.id for one in game.rules)
    assert {one["rule"]: one["why"] for one in coverage["rules_not_auditable"]} == {
        "INCH-POLITE": "no log shows it",
        "INCH-2": "why",
        "INCH-UNDUE": "y",
    }


def on_a_line(**where):
    """The board of the toy game in inches."""
    text = [f"{unit} stands at {x} inches." for unit, x in where.items()]
    return {"kind": "toy-line", "units": [[unit, x] for unit, x in where.items()], "text": text}


def test_an_audit_holds_what_the_contract_says():
    value = audited(INCHES, numbered(Shoot(0, "B", "b", "a", 1), Move(0, "A", "a", "9"), EndPhase(0)), header=AT_ZERO)
    assert list(value) == [
        "audit",
        "engine",
        "game",
        "ruleset_version",
        "log_sha256",
        "packs",
        "rulings",
        "verdict",
        "errors",
        "findings",
        "notes",
        "coverage",
        "digest",
    ]
    keys = {
        "id",
        "content",
        "rule",
        "kind",
        "would_be",
        "seq",
        "seen_at",
        "line",
        "player",
        "subject",
        "also",
        "claimed",
        "recomputed",
        "figures",
        "evidence",
        "effect",
        "scope",
        "under",
        "stands",
        "depends_on",
        "text",
    }
    assert all(keys <= set(one) for one in value["findings"])
    assert value["digest"] == digest({key: part for key, part in value.items() if key != "digest"})
    (move,) = [one for one in value["findings"] if one["rule"] == "INCH-MOVE"]
    assert move["evidence"] == {
        "before": on_a_line(a="0", b="0"),
        "after": on_a_line(a="9", b="0"),
        "marks": [{"mark": "move", "unit": "a", "from": "0", "to": "9", "label": "a measured move"}],
        "sight": None,
        "path": ["0"],
    }
    assert move["figures"] == [{"name": "length", "value": "9", "parts": []}]


def test_a_rule_without_words_is_refused():
    with pytest.raises(ValueError, match="X-1 has no text"):
        rule("X-1", "X", chapter="X", source="toy", events=[], kinds=[])(lambda *_: None)


def test_a_figure_remembers_its_parts():
    figure = total("attack dice", [("boltgun", 2), ("combi-bolter", 4)])
    assert figure.working() == "6 = 2 boltgun + 4 combi-bolter"
    assert Figure("x", 3).working() == "3"


def test_claims_that_were_not_made_are_counted():
    events = numbered(*(Move(0, "A", "a", str(n)) for n in range(5)), Move(0, "A", "a", "4", "0"))
    assert audited(INCHES, events, header=AT_ZERO)["coverage"]["not_claimed"] == 5


def test_a_game_adds_fields_of_its_own_which_are_part_of_the_digest():
    def check(excess):
        def look(event, resolved, position, hearing):
            """A rule."""
            return [Fault("INCH-MOVE", "illegal", "Too far.", rests_on=(), game_fields=excess)]

        return replace(INCHES, rules=(replace(INCHES.rule("INCH-MOVE"), check=look),))

    move = numbered(Move(0, "A", "a", "9"))
    values = [audited(check(excess), move, header={"where": {"a": "0"}}) for excess in ({}, {"excess": "3"})]
    assert ["game_fields" in value["findings"][0] for value in values] == [False, True]
    assert values[1]["findings"][0]["game_fields"] == {"excess": "3"}
    assert values[0]["digest"] != values[1]["digest"]
    assert values[0]["findings"][0]["content"] == values[1]["findings"][0]["content"]
    with pytest.raises(ValueError, match="does not declare"):
        audited(check({"exces": "3"}), move, header={"where": {"a": "0"}})
