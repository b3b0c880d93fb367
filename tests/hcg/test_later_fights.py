"""What a record says later of a battle action is indexed; it comes to the same as going through its lines."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from auditor.systems.hcg import records
from auditor.systems.hcg.position.lookahead_fights import _ANNOUNCES, _OF_AN_ABILITY, Fights

ENDS = (records.BattleAction, records.BattleEnd, records.BattleChoose)


def line(kind: str, zone: str, card: str) -> Any:
    source = records.Source(zone=zone, card=card, ability="line")
    return {
        "tactic": lambda: records.Tactic(seq=0, by="p1", source=source),
        "roll": lambda: records.Roll(seq=0, by="p1", source=source),
        "effect": lambda: records.Effect(seq=0, source=source, op="modify", targets=[card]),
        "damage": lambda: records.Damage(seq=0, to=card),
        "block": lambda: records.Block(seq=0, by="p1", unit=card),
        "sweep": lambda: records.Sweep(seq=0, by="p1", unit=card),
        "assault": lambda: records.BaAssault(seq=0, by="p1", unit=card),
        "charge": lambda: records.BaCharge(seq=0, by="p1", unit=card),
        "end": lambda: records.BattleEnd(seq=0),
    }[kind]()


KINDS = ["tactic", "roll", "effect", "damage", "block", "sweep", "assault", "charge", "end"]
LINES = st.lists(
    st.tuples(st.sampled_from([*KINDS, *KINDS[:5] * 3]), st.sampled_from(["hand", "sector"]), st.sampled_from("abcd")),
    max_size=30,
)


def played(events: list[Any], before: frozenset[str]) -> str | None:
    announced = set(before)
    for event in events:
        source = getattr(event, "source", None)
        if source is None:
            continue
        if isinstance(event, _ANNOUNCES):
            announced.add(source.card)
        elif isinstance(event, _OF_AN_ABILITY) and source.zone == "hand" and source.card not in announced:
            return str(source.card)
    return None


@given(LINES, st.integers(0, 30), st.frozensets(st.sampled_from("abcd"), max_size=2))
def test_looked_up_and_gone_through_come_to_the_same(told, seq, before):
    events = [line(*one) for one in told]
    for n, event in enumerate(events, 1):
        event.seq = n
    rest = events[seq:]
    action = rest[: next((n for n, event in enumerate(rest) if isinstance(event, ENDS)), len(rest))]
    battle = rest[: next((n for n, event in enumerate(rest) if isinstance(event, ENDS[1:])), len(rest))]
    fights = Fights(events)
    assert fights.played(seq, before) == played(action, before)
    assert fights.blows(seq) == [one for one in action if isinstance(one, records.Damage) and not one.by_ability]
    assert fights.attackers(seq) == [one.unit for one in action if isinstance(one, records.Sweep)]
    answers = [one for one in action if isinstance(one, (records.Block, records.Damage))]
    assert fights.is_blocked(seq) == isinstance(next(iter(answers), None), records.Block)
    charges: dict[str, bool] = {}
    for one in battle:
        if isinstance(one, (records.BaAssault, records.BaCharge)):
            charges.setdefault(one.unit or "", isinstance(one, records.BaAssault))
    assert fights.assaulters(seq) == [unit for unit, assaults in charges.items() if assaults]
    for card in "abcd":
        of_it = [one for one in action if getattr(getattr(one, "source", None), "card", None) == card]
        first = next(iter(of_it), None)
        text = None if first is None or isinstance(first, _ANNOUNCES) else first.source.ability
        assert fights.text(seq, card) == text
        until = of_it[: next((n for n, one in enumerate(of_it) if isinstance(one, _ANNOUNCES)), len(of_it))]
        named = next((tuple(one.targets) for one in until if isinstance(one, records.Effect)), ())
        assert fights.befell(seq, card) == named
