"""What the chapters share: declaring a rule, and which cards an event shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from auditor.core.findings import Remark
from auditor.core.ruleset import Check, Rule, Topics
from auditor.core.ruleset import rule as core_rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.play import Play
from auditor.systems.hcg.position.state import Position
from auditor.systems.words import listed

SOURCE = "Horus Heresy collectible card game, rulebook as restated in the HCG catalogue"

Seen = Sequence[Remark] | None

CHAPTERS = {
    "4.1": "Card kinds and printed facts",
    "4.2": "Deck construction",
    "4.3": "Setting up the game",
    "4.4": "Turn structure",
    "4.5": "First wave",
    "4.6": "Regular deployment",
    "4.7": "Card positions",
    "4.8": "Rolling",
    "4.9": "The battle phase",
    "4.10": "Battle set-up",
    "4.11": "Unique cards",
    "4.12": "Command hand",
    "4.13": "Battle actions",
    "4.14": "Shooting",
    "4.15": "Charging",
    "4.16": "Standard assault",
    "4.17": "Sweeping advance",
    "4.18": "Special assault",
    "4.19": "BA cards and BA abilities",
    "4.20": "Withdraw and pass",
    "4.21": "Optional abilities: how they are played",
    "4.22": "Tactics",
    "4.23": "Reactions, modifiers, static abilities",
    "4.24": "Attack terms, damage and numbers",
    "4.25": "Other terms",
    "4.26": "Victory step",
    "4.27": "End phase and end of the game",
    "4.28": "Ships",
    "4.29": "Record integrity",
}


TYPES = {"BA": "a battle action", "T": "a tactic", "R": "a reaction", "M": "a modifier", "A": "a special assault"}
"""Types of texts, as they are said."""


def rule(
    rule_id: str,
    title: str,
    *,
    section: str,
    events: Iterable[str],
    kinds: Iterable[str],
    readings: Iterable[str] = (),
    when: Mapping[str, Topics] | None = None,
    finds: Mapping[str, Topics] | None = None,
) -> Callable[[Check], Rule]:
    """Declare a rule of this game; `section` is that of the catalogue, `when` and `finds` as in the core (see `resolve.topics`)."""
    return core_rule(
        rule_id,
        title,
        chapter=CHAPTERS[section],
        source=f"{SOURCE}, section {section}",
        events=events,
        kinds=kinds,
        readings=readings,
        when=when,
        finds=finds,
    )


PHASE_NAMES = {"first_wave": "first wave", "deployment": "deployment", "battle": "battle phase", "end": "end phase"}
"""Phases of a turn, as they are said."""


def both(position: Position) -> str:
    """The players, where a sentence is about neither alone."""
    return listed(position.table.players)


def one_of(player: str | None) -> str:
    """Who did something, at the head of a sentence, where the log need not say it."""
    return player or "Somebody"


def of_two(passes: int) -> str:
    """How many of the two passes that close a window there were."""
    return f"{passes or 'none'} of the two passes"


def shown_by(event: records.Event) -> dict[str, str]:
    """The cards of instances that an event shows."""
    shown = dict(event.ids or {})
    if isinstance(event, records.SetupFlip):
        shown |= {one.card: one.id for one in event.cards or () if one.card is not None and one.id is not None}
    return shown


def went_back_to_the_hand(plays: Iterable[Play], hearing: Hearing) -> bool:
    """Whether cards that were played go back to the hand because their tests failed (OR-FAILEDTEST)."""
    return all(play.passed is False for play in plays) and hearing.ask("OR-FAILEDTEST") == "refunded"
