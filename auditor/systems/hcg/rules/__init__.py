"""The rules, a module a chapter of the catalogue, in its order; and those that are not written yet, by name."""

from __future__ import annotations

from auditor.core.ruleset import Rule
from auditor.systems.hcg.rules import (
    amounts,
    attacks,
    battle_setup,
    battles,
    choices,
    costs,
    damage,
    decks,
    effects,
    ending,
    game_end,
    hands,
    integrity,
    numbers,
    played,
    reactions,
    refills,
    rolls,
    sectors,
    setup,
    ships,
    special,
    turns,
    unique,
    victory,
)

RULES: tuple[Rule, ...] = (
    *decks.RULES,
    *setup.RULES,
    *turns.RULES,
    *rolls.RULES,
    *battles.RULES,
    *battle_setup.RULES,
    *ending.RULES,
    *attacks.RULES,
    *damage.RULES,
    *choices.RULES,
    *costs.RULES,
    *played.RULES,
    *reactions.RULES,
    *refills.RULES,
    *special.RULES,
    *hands.RULES,
    *ships.RULES,
    *effects.RULES,
    *amounts.RULES,
    *unique.RULES,
    *integrity.RULES,
    *numbers.RULES,
    *victory.RULES,
    *sectors.RULES,
    *game_end.RULES,
)


def _numbers(chapter: str, first: int, last: int) -> tuple[str, ...]:
    return tuple(f"HCG-{chapter}-{n:02}" for n in range(first, last + 1))


CATALOGUE: tuple[str, ...] = tuple(
    rule_id
    for chapter, last in (
        ("CARD", 5), ("DECK", 4), ("SETUP", 6), ("TURN", 3), ("FW", 6), ("DEP", 6), ("POS", 5), ("ROLL", 6), ("BPH", 5),
        ("BSET", 7), ("UNIQ", 6), ("CMD", 4), ("BA", 7), ("SHOOT", 9), ("CHG", 2), ("ASLT", 6), ("SWEEP", 6),
        ("SPEC", 7), ("BAC", 1), ("BAA", 3), ("WDR", 3), ("PASS", 1), ("OPT", 9), ("TAC", 8), ("REA", 3), ("MOD", 4),
        ("STAT", 1), ("UNL", 1), ("DMG", 4), ("CA", 4), ("VS", 3), ("X", 2), ("DES", 3), ("DISC", 2), ("FLAG", 1),
        ("INF", 2), ("KEY", 1), ("VIC", 9), ("END", 3), ("WIN", 4), ("SHIP", 6), ("DOC", 5),
    )
    for rule_id in _numbers(chapter, 1, last)
)  # fmt: skip
"""The id of every rule of the catalogue, in its order."""

NOT_WRITTEN: tuple[str, ...] = tuple(sorted(set(CATALOGUE) - {rule.id for rule in RULES}, key=CATALOGUE.index))
"""Rules of the catalogue that nothing checks yet. While there is one, no verdict of this ruleset is `clean`."""
