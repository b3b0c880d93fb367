"""The battle phase: who fights a battle, and where (catalogue 4.9)."""

from __future__ import annotations

from functools import partial
from typing import Any

from auditor.core.findings import RAN, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.lookahead import breaks_off
from auditor.systems.hcg.position.parts import SLOTS
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import comes_late, may_fight_at, one_is_missing, won
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.rules.attacks import ACTIONS
from auditor.systems.hcg.rules.common import Seen, rule

ENDS_BATTLES = ("phase.start", "end.ships", "end.check", "turn.end", "turn.start")


@rule("HCG-BPH-01", "Two battles", section="4.9", events=["battle.choose"], kinds=["illegal", "ambiguous"])
def two_battles_in_order(event: records.BattleChoose, view: View, position: Position, hearing: Hearing) -> Seen:
    """A battle phase has two battles: the planet attacker's, then the planet defender's.

    Log:  who chose a sector, in order.
    Edge: a choice that is written twice while its battle is set up begins no other battle.
    """
    this, player = two_battles_in_order, event.by
    if player is None:
        return [this.missing(["who chose the sector"], player=None)]
    if player not in position.table.other:
        return None
    if comes_late(event, position):
        return RAN
    if position.phase == "end":
        return [this.illegal(f"{player} began a battle in the end phase.")]
    if position.phase != "battle" and position.phase != "deployment":
        return None
    had = position.had if position.phase == "battle" else {}
    if player in had:
        text = f"{player} chose a sector for a battle a second time in this turn."
        return [this.illegal(text, claimed=player)]
    attacker = position.player_as("attacker")
    if attacker is None:
        return [Unchecked(this.id, "nobody knows who is the planet attacker")]
    early = player != attacker and attacker not in had and position.table.later_choice(event.seq, attacker)
    if early and may_fight_at(position, attacker):
        text = f"{player} began the first battle; it is the planet attacker's."
        return [this.illegal(text, claimed=player, recomputed=attacker)]
    return RAN


@rule(
    "HCG-BPH-02",
    "The attacker's battle",
    section="4.9",
    events=["battle.choose", "battle.none", *ENDS_BATTLES, "setup.flip"],
    kinds=["illegal", "omitted", "ambiguous"],
    readings=["OR-NOCARDSATK"],
    when={"setup.flip": ("unsaid",)},
)
def attacker_fights_where_there_are_own_cards(
    event: records.Event, view: View, position: Position, hearing: Hearing
) -> Seen:
    """The planet attacker picks an open sector where the attacker has at least one card.

    Log:  who chose which sector.
    Edge: any card counts, face down or a waiting ship included. An attacker who has no card at any open sector has no
          battle (OR-NOCARDSATK). A battle that is set up and whose choice is not recorded goes on as if it stood there.
    """
    this, attacker = attacker_fights_where_there_are_own_cards, position.player_as("attacker")
    if isinstance(event, records.BattleNone) and event.by is None:
        return [this.missing(["who fights no battle"], player=None)]
    if attacker is None or position.phase not in ("deployment", "battle"):
        return None
    if isinstance(event, records.BattleChoose) and event.by == attacker:
        return _sector(this, event, position)
    had = position.had if position.phase == "battle" else {}
    able = may_fight_at(position, attacker)
    if isinstance(event, records.BattleChoose):
        if event.by != position.player_as("defender") or had.get(attacker) == "fought":
            return None
        if not able:
            if hearing.ask("OR-NOCARDSATK") == "skip-to-defender":
                return RAN
            text = f"{event.by} began a battle; the planet attacker has no card at an open sector, which ends the turn."
            return [this.illegal(text, claimed=event.by)]
        if attacker in had or position.table.later_choice(event.seq, attacker):
            return None
    elif isinstance(event, records.BattleNone):
        if event.by != attacker:
            return None
        if not able:
            return RAN
    elif position.phase != "battle" or not _ends(event) or attacker in had or won(position):
        return None
    if not able or position.table.setup.terse:
        return RAN
    return [_not_fought(this, attacker, able)]


@rule(
    "HCG-BPH-03",
    "The defender's battle",
    section="4.9",
    events=["battle.choose", "setup.flip"],
    kinds=["illegal", "omitted", "ambiguous"],
    when={"setup.flip": ("unsaid",)},
)
def defender_fights_elsewhere(event: Any, view: View, position: Position, hearing: Hearing) -> Seen:
    """The planet defender picks an open sector where the defender has a card, and not the one fought over this turn.

    Log:  who chose which sector.
    Edge: a battle that is set up and whose choice is not recorded goes on as if it stood there.
    """
    if event.by is None or event.by != position.player_as("defender"):
        return None
    return _sector(defender_fights_elsewhere, event, position)


@attacker_fights_where_there_are_own_cards.at("setup.flip")
def attacker_chose_it(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    return _not_chosen(attacker_fights_where_there_are_own_cards, 1, view, position)


@defender_fights_elsewhere.at("setup.flip")
def defender_chose_it(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    return _not_chosen(defender_fights_elsewhere, 2, view, position)


def _not_chosen(this: Rule, n: int, view: View, position: Position) -> Seen:
    """The choice of the battle that is being set up is not recorded."""
    battle = position.battle
    if "unsaid" not in view.topics or battle is None or battle.n != n:
        return None
    if position.table.setup.terse:
        return RAN
    text = f"The battle at sector {battle.sector} was set up; that {battle.chooser} had chosen it is not recorded."
    due = partial(records.BattleChoose, seq=0, by=battle.chooser, sector=battle.sector)
    return [this.omitted(text, player=battle.chooser, recomputed=battle.sector, due=due)]


def _sector(this: Rule, event: records.BattleChoose, position: Position) -> Seen:
    """Whether a player may fight at the sector chosen."""
    if comes_late(event, position):
        return RAN
    slot, player = event.sector, str(event.by)
    if slot is None:
        text = "The log does not say which sector was chosen."
        return [this.ambiguous(text, would_be="illegal")]
    if slot not in SLOTS:
        text = f"{player} chose sector {slot} for a battle; the board has sectors 1 to 3."
        return [this.illegal(text, claimed=slot)]
    sector = position.sectors[slot]
    if sector.state == "taken":
        why = f"{sector.by or 'somebody'} has taken it"
    elif sector.fought:
        why = "it was fought over this turn"
    elif not position.has_cards_at(player, slot):
        why = f"{player} has no card there"
    else:
        return RAN
    text = f"{player} chose sector {slot} for a battle; {why}."
    able = list(may_fight_at(position, player))
    return [this.illegal(text, claimed=slot, recomputed=able)]


@rule(
    "HCG-BPH-04",
    "No legal sector for the defender",
    section="4.9",
    events=["battle.none", *ENDS_BATTLES, "game.end", "end"],
    kinds=["omitted"],
    readings=["OR-NOCARDSATK", "OR-WINTIME"],
)
def defender_fights_if_there_is_a_sector(
    event: records.Event, view: View, position: Position, hearing: Hearing
) -> Seen:
    """Only where the planet defender has no legal sector does the turn go on to the end phase without the second battle.

    Log:  the battles of the turn.
    Edge: once somebody has taken two sectors nothing more is due, or the turn is still played to its end (OR-WINTIME).
    """
    this, defender = defender_fights_if_there_is_a_sector, position.player_as("defender")
    attacker = position.player_as("attacker")
    if defender is None or attacker is None or position.phase != "battle":
        return None
    if isinstance(event, (records.GameEnd, records.End)) and (breaks_off(event) or not won(position)):
        return None  # A game that is over before anybody has won has no more battles.
    if isinstance(event, records.BattleNone):
        if event.by != defender:
            return None
    elif not _ends(event) or defender in position.had:
        return None
    able = may_fight_at(position, defender)
    if attacker not in position.had and may_fight_at(position, attacker):
        return None  # Where the attacker's battle would have been nobody knows.
    if not able or position.table.setup.terse:
        return RAN
    if position.had.get(attacker) != "fought" and hearing.ask("OR-NOCARDSATK") == "turn-ends":
        return RAN
    if won(position) and hearing.ask("OR-WINTIME") == "immediate":
        return RAN
    return [_not_fought(this, defender, able)]


def _ends(event: records.Event) -> bool:
    return not isinstance(event, records.PhaseStart) or event.phase == "end"


def _not_fought(this: Rule, player: str, able: tuple[int, ...]) -> Any:
    where = " or ".join(map(str, able))
    text = f"{player} fought no battle, though one at sector {where} was possible."
    return this.omitted(text, player, player=player, recomputed=list(able))


@rule("HCG-BPH-05", "The first battle action", section="4.9", events=ACTIONS, kinds=["illegal", "ambiguous"])
def chooser_acts_first(event: Any, view: View, position: Position, hearing: Hearing) -> Seen:
    """The planet attacker has the first battle action in the attacker's battle, the planet defender in the defender's.

    Log:  who acted.
    """
    battle = position.battle
    if event.by is None or battle is None or battle.ba or position.action is not None or battle.next is None:
        return None
    if event.by == battle.next or one_is_missing(event, position):
        return RAN
    text = f"{event.by} took the first battle action; it is {battle.next}'s."
    return [chooser_acts_first.illegal(text, claimed=event.by, recomputed=battle.next)]


RULES = (
    two_battles_in_order,
    attacker_fights_where_there_are_own_cards,
    defender_fights_elsewhere,
    defender_fights_if_there_is_a_sector,
    chooser_acts_first,
)
