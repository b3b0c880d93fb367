"""Ships (catalogue 4.28)."""

from __future__ import annotations

from functools import partial

from auditor.core.findings import RAN, Remark
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.abilities import Ability
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import DRAWS, just_left_behind
from auditor.systems.hcg.reckoning.choices import CHANGES
from auditor.systems.hcg.reckoning.costs import goes_on
from auditor.systems.hcg.reckoning.named import targets_of
from auditor.systems.hcg.reckoning.names import is_unique, same_name
from auditor.systems.hcg.reckoning.plays import ability_of, announced, play_by
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.rules.choices import payer
from auditor.systems.hcg.rules.common import Seen, rule
from auditor.systems.hcg.rules.hands import PLAYED
from auditor.systems.hcg.rules.played import NEXT
from auditor.systems.words import listed


def is_ship(position: Position, instance: str | None) -> bool:
    card = position.card_of(instance)
    return card is not None and card.kind == "ship"


@rule(
    "HCG-SHIP-01",
    "The path of a ship",
    section="4.28",
    events=["deploy.first", "deploy.regular"],
    kinds=["illegal"],
)
def ships_stay_in_their_fleet(
    event: records.DeployFirst | records.DeployRegular, view: View, position: Position, hearing: Hearing
) -> Seen:
    """A ship is deployed like any card, joins its owner's fleet in the set-up of the battle there, and stays in it for the
    rest of the game.

    Log:  the card that was deployed.
    """
    at = position.at.get(event.card) if event.card is not None else None
    if at is None or event.card is None or at.zone != "fleet":
        return RAN if is_ship(position, event.card) else None
    text = f"{position.named(event.card)} was deployed; it is in {at.player}'s fleet and stays there."
    return [ships_stay_in_their_fleet.illegal(text, event.card, claimed="deployed", recomputed="fleet")]


@rule("HCG-SHIP-02", "Waiting ships", section="4.28", events=PLAYED, kinds=["illegal"])
def waiting_ships_are_not_used(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A ship in the fleet is usable at any sector, in either battle. While it waits at a sector its abilities are not.

    Log:  the source.
    """
    play = announced(event, position)
    if play is None or play.zone == "hand" or not is_ship(position, play.card):
        return None
    at = position.at.get(play.card)
    if at is None or at.zone != "sector" or just_left_behind(event, at, position):
        return RAN
    text = f"{position.named(play.card)} was used; it still waits at sector {at.sector}."
    return [waiting_ships_are_not_used.illegal(text, play.card, player=play.by)]


@rule(
    "HCG-SHIP-03",
    "What reaches ships",
    section="4.28",
    events=[*PLAYED, "ba.assault", "event", *CHANGES],
    kinds=["illegal"],
    when=dict.fromkeys(["ba.assault", "event", *PLAYED, *CHANGES], ("played",)),
)
def only_texts_about_ships_reach_them(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Ships cannot be attacked, and only effects that name ships affect them: "any card" and "all enemy cards" do not.

    Log:  what was chosen; to what it was done.
    Edge: of a text that could not be read: whether it has the word "ship". A shot at a ship is HCG-SHOOT-02.
    """
    this = only_texts_about_ships_reach_them
    play = announced(event, position)
    if play is not None:
        cards = play.choices or ()
    else:
        play = play_by(event, position)
        told = play.choices or () if play is not None else ()  # What was chosen wrongly was said then.
        cards = tuple(one for one in targets_of(event) if one not in told)
    ability = ability_of(position, play)
    if play is None or ability is None:
        return None
    met = [one for one in cards if (at := position.at.get(one)) and at.zone == "fleet" and is_ship(position, one)]
    if not met:
        return None
    if _names_ships(ability) or (met == [play.card] and _may_mean_itself(ability)):
        return RAN
    on = "itself" if met == [play.card] else listed(map(position.named, met))
    used = f"{play.by} used {position.named(play.card)} on {on}"
    text = f"{used}, and its text does not name ships: “{ability.text}”."
    return [this.illegal(text, *met, player=play.by)]


def _names_ships(ability: Ability) -> bool:
    if ability.status != "full":
        return "ship" in ability.text.lower()
    return any(effect.target is not None and effect.target.kind == "ship" for effect in ability.effects)


def _may_mean_itself(ability: Ability) -> bool:
    """Whether what a ship's text did to that ship may be what it says: a choice of any card is not."""
    targets = [effect.target for effect in ability.effects if effect.target is not None]
    return ability.status != "full" or not targets or any(target.q in ("self", "same") for target in targets)


@rule(
    "HCG-SHIP-04",
    "Unique ships",
    section="4.28",
    events=["destroy", "return", "discard", "draw", "setup.skip", *NEXT],
    kinds=["illegal", "omitted", "miscalculated"],
    readings=["OR-UNIQNAME"],
    when={
        **dict.fromkeys(["destroy", "return", "discard"], ("joined",)),
        **dict.fromkeys(["draw", "setup.skip", *NEXT], ("set-up", "arrived")),
    },
)
def old_copies_of_ships_are_destroyed(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Where a unique ship joins a fleet that has a copy, the old copy is destroyed. Only the own fleet counts.

    Log:  the destruction, with cause `unique`.
    """
    this, battle = old_copies_of_ships_are_destroyed, position.battle
    came = (*position.joined, *position.arrived)
    if battle is None or not came:
        return None
    if isinstance(event, records.Change):
        pairs = _copies(position, came, hearing)
        if event.cause != "unique":
            return None
        seen: list[Remark] = []
        for instance in event.cards or ():
            new = next((pair for pair in pairs if pair[0] == instance), None)
            if new is None:
                continue
            text = (
                f"{position.named(instance)} left, which had just joined; the old copy {position.named(new[1])} does."
            )
            claim, right = {"cards": [instance]}, {"cards": [new[1]]}
            player = position.at[instance].player
            seen.append(this.miscalculated(text, instance, player=player, claimed=claim, recomputed=right))
        return seen or RAN
    if position.table.setup.terse:
        return None
    late = position.arrived if goes_on(event) else ()
    set_up = battle.step == "setup" and battle.stage < DRAWS and not battle.skipped
    if set_up and (not isinstance(event, records.Draw) or event.cause == "command"):
        late = (*position.joined, *late)
    pairs = _copies(position, late, hearing)
    seen = []
    for new_one, old in pairs:
        text = f"{position.named(new_one)} joined a fleet that has a copy, and the old {position.named(old)} stayed."
        player = position.at[new_one].player
        due = partial(records.Destroy, seq=0, cards=[old], cause="unique")
        seen.append(this.omitted(text, old, player=player, due=due))
    return seen or (RAN if late else None)


def _copies(position: Position, came: tuple[str, ...], hearing: Hearing) -> list[tuple[str, str]]:
    """(ship that has just joined a fleet, its copy that was there before)."""
    found = []
    for new in came:
        at, card = position.at.get(new), position.card_of(new)
        if at is None or at.zone != "fleet" or card is None or not is_unique(card):
            continue
        for old in position.located(at.player, "fleet"):
            other = position.card_of(old)
            if old in came or other is None or not is_unique(other):
                continue
            if same_name(card, other, hearing):
                found.append((new, old))
    return found


@rule("HCG-SHIP-05", "Ships rally in the end phase", section="4.28", events=["cost"], kinds=["illegal"])
def locked_ships_stay_locked(event: records.Cost, view: View, position: Position, hearing: Hearing) -> Seen:
    """Ships rally in the end phase only, not after a battle: one that was locked in the first battle of a turn cannot be
    locked as a cost in the second.

    Log:  the cost.
    """
    if event.op != "lock":
        return None
    seen = []
    for instance in event.cards or ():
        at = position.at.get(instance)
        if instance not in position.spent or at is None or at.stance != "locked":
            continue
        text = f"{position.named(instance)} was locked as a cost; it has been locked since the battle before."
        player = payer(event, position)
        seen.append(locked_ships_stay_locked.illegal(text, instance, player=player))
    return seen or (RAN if any(is_ship(position, one) for one in event.cards or ()) else None)


@rule("HCG-SHIP-06", "Ships are not at the sector", section="4.28", events=["sector.taken"], kinds=["illegal"])
def fleets_are_not_cleared(event: records.SectorTaken, view: View, position: Position, hearing: Hearing) -> Seen:
    """A ship in the fleet is not at the sector: it is not destroyed by a withdrawal, not discarded with a won sector, not
    counted for flags, withdrawal, the choice of a sector or the empty check.

    Log:  `discarded`.
    Edge: of a withdrawal this is HCG-WDR-02, of the flags HCG-VIC-02, of the empty check HCG-BSET-06.
    """
    seen = []
    for instance in event.discarded or ():
        at = position.at.get(instance)
        if at is not None and at.zone == "fleet":
            text = f"{position.named(instance)} was discarded with the sector; it is in {at.player}'s fleet."
            seen.append(fleets_are_not_cleared.illegal(text, instance, player=at.player))
    return seen or (RAN if event.discarded else None)


RULES = (
    ships_stay_in_their_fleet,
    waiting_ships_are_not_used,
    only_texts_about_ships_reach_them,
    old_copies_of_ships_are_destroyed,
    locked_ships_stay_locked,
    fleets_are_not_cleared,
)
