"""What the second referee of the card game says where an ability of a legal game is aimed, paid or done otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from auditor.conformance.hcg.inventor import INVENTOR
from auditor.conformance.hcg.referee import JUDGED, check
from auditor.conformance.hcg.referee.check import Referee
from auditor.conformance.hcg.referee.choices import choosing
from auditor.conformance.hcg.table import PLAYERS, Piece
from auditor.conformance.hcg.texts import Effect, Select, Text
from auditor.conformance.inventor import NOT_JUDGED

Event = dict[str, Any]
Change = Callable[[Referee, list[Event], int], Iterator[list[Event]]]
"""The table before an event, the events, the place of that one -> the events from there on, otherwise."""
SEEDS = range(0, 40, 2)
ENOUGH = 1
AIMED = ("tactic", "reaction", "ba.card", "ba.ability")
CHANGED = (*AIMED, "cost", "draw")


@cache
def game(seed: int) -> list[Event]:
    return INVENTOR.legal_lines(seed)


def text_of(table: Referee, event: Event) -> Text | None:
    source = event.get("source") or {"card": event.get("card"), "ability": "line"}
    card = table.pieces[source["card"]].card
    text = card.line if source["ability"] == "line" else card.box[source["ability"]]
    return text if isinstance(text, Text) else None


def aimed_at(fits: Callable[[Referee, Effect, Select, Piece, Piece], bool]) -> Change:
    """Another target is chosen, of the same kind and at the same place as the one that was, unless `fits` says more.

    `fits`: the table, the effect with what it selects, the target that was chosen, the other one.
    """

    def change(table: Referee, events: list[Event], n: int) -> Iterator[list[Event]]:
        event = events[n]
        text = text_of(table, event) if event["type"] in AIMED and (event.get("choices") or {}).get("target") else None
        effect = choosing(text) if text is not None else None
        if effect is not None and effect.what is not None:
            was = table.pieces[event["choices"]["target"]]
            for piece in table.pieces.values():
                if piece is not was and fits(table, effect, effect.what, was, piece):
                    yield [{**event, "choices": {"target": piece.id}}]

    return change


PLAIN = Select("exact", kind="unit")


def alike(was: Piece, piece: Piece) -> bool:
    return (was.zone, was.sector, was.owner, was.card.kind) == (piece.zone, piece.sector, piece.owner, piece.card.kind)


def two_targets(table: Referee, events: list[Event], n: int) -> Iterator[list[Event]]:
    """Two where one is asked for."""
    for other, *_ in aimed_at(lambda _, effect, what, was, piece: alike(was, piece) and effect.op == "modify")(
        table, events, n
    ):
        names = [events[n]["choices"]["target"], other["choices"]["target"]]
        yield [{**other, "choices": {"targets": names}}]


def roll_before_the_cost(table: Referee, events: list[Event], n: int) -> Iterator[list[Event]]:
    cost, roll = events[n], events[n + 1]
    if (cost["type"], roll["type"]) == ("cost", "roll") and cost["source"] == roll["source"]:
        yield [roll, cost]


def paid_by(fits: Callable[[Piece, Piece], bool]) -> Change:
    """Another card of the same kind is locked to pay. `fits`: the one that was, the other one."""

    def change(table: Referee, events: list[Event], n: int) -> Iterator[list[Event]]:
        cost = events[n]
        text = text_of(table, cost) if cost["type"] == "cost" and cost["op"] == "lock" else None
        if (
            text is not None
            and len(cost["cards"]) == 1
            and not any(one.what and one.what.q == "self" for one in text.costs)
        ):
            was = table.pieces[cost["cards"][0]]
            for piece in table.here():
                if piece.card.kind == was.card.kind and fits(was, piece):
                    yield [{**cost, "cards": [piece.id]}]

    return change


def of_another_row(table: Referee, events: list[Event], n: int) -> Iterator[list[Event]]:
    """Where a card is drawn by the number of a roll, one is discarded, as another row says."""
    draw = events[n]
    text = text_of(table, draw) if draw["type"] == "draw" and draw["cause"] == "effect" else None
    if text is not None and any(effect.op == "discard" for _, _, row in text.rows for effect in row):
        for name in table.hand(draw["by"])[:1]:
            where = {key: draw[key] for key in ("turn", "battle", "ba") if key in draw}
            discard = {
                "type": "discard",
                "by": draw["by"],
                "cards": [name],
                "cause": "effect",
                "source": draw["source"],
            }
            yield [{**discard, **where}]


def without_a_choice(table: Referee, events: list[Event], n: int) -> Iterator[list[Event]]:
    """Nothing is chosen although something must be, and there is nothing that could be."""
    for event in [events[n]] if events[n]["type"] in ("ba.card", "ba.ability") else []:
        for player in PLAYERS:
            for name in table.hand(player) if event["by"] == player else ():
                line = table.pieces[name].card.line
                effect = choosing(line) if line is not None and line.type == "BA" else None
                if effect is not None and effect.what is not None and effect.what.q == "exact" and effect.op == "rally":
                    if all(piece.position == "ready" for piece in table.here()):
                        where = {key: event[key] for key in ("turn", "battle", "ba")}
                        yield [{"type": "ba.card", "by": player, "card": name, "choices": {}, **where}]


CHANGES: dict[str, Change] = {
    "HCG-POS-02": paid_by(lambda was, piece: piece.owner == was.owner and piece.position == "locked"),
    "HCG-POS-05": aimed_at(
        lambda _, e, what, was, piece: alike(was, piece) and e.op == "rally" and piece.position == "ready"
    ),
    "HCG-KEY-01": aimed_at(
        lambda table, _, what, was, piece: alike(was, piece) and not set(what.keywords) <= table.keywords(piece)
    ),
    "HCG-FLAG-01": aimed_at(
        lambda table, _, what, was, piece: alike(was, piece) and what.flag not in (None, table.flags_of(piece) > 0)
    ),
    "HCG-BA-05": aimed_at(
        lambda table, _, what, was, piece: (
            piece.zone == "sector" and piece.sector != was.sector == table.sector and piece.card.kind == was.card.kind
        )
    ),
    "HCG-SHIP-03": aimed_at(lambda _, e, what, was, piece: piece.zone == "fleet" and what.kind in ("unit", "asset")),
    "HCG-OPT-09": two_targets,
    "HCG-OPT-03": without_a_choice,
    "HCG-OPT-07": roll_before_the_cost,
    "HCG-OPT-08": paid_by(lambda was, piece: piece.owner != was.owner and piece.position == was.position),
    "HCG-TAC-08": aimed_at(
        lambda table, _, what, was, piece: (
            alike(was, piece) and what.role is not None and not table.is_in_role(piece, what.role)
        )
    ),
    "HCG-ROLL-04": of_another_row,
}


@pytest.fixture(scope="module")
def said() -> dict[str, list[tuple[str, str, int]]]:
    """Of each change, for the first occasions: rule, kind, and how many events after the changed one."""
    found: dict[str, list[tuple[str, str, int]]] = {rule: [] for rule in CHANGES}
    for seed in SEEDS:
        header, *events = game(seed)
        table = Referee(header, None)
        for n, event in enumerate(events):
            for rule in [rule for rule in CHANGES if len(found[rule]) < ENOUGH and event["type"] in CHANGED]:
                for changed in CHANGES[rule](table, events, n):
                    lines = [header, *events[:n], *({**one, "seq": n + k} for k, one in enumerate(changed, 1))]
                    said = [(one.rule, one.kind, one.seq - n - 1) for one in check(lines) if one.kind != NOT_JUDGED]
                    found[rule] += said
                    break
            list(table.judge(event, [header, *events]))
        if all(len(one) >= ENOUGH for one in found.values()):
            break
    return found


@pytest.mark.parametrize("rule", CHANGES)
def test_an_ability_that_breaks_a_rule_is_named_under_it(
    rule: str, said: dict[str, list[tuple[str, str, int]]]
) -> None:
    kind = "miscalculated" if rule == "HCG-ROLL-04" else "illegal"
    assert rule in JUDGED
    assert set(said[rule]) == {(rule, kind, 0)}
