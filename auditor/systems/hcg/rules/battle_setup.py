"""The set-up of a battle (catalogue 4.10)."""

from __future__ import annotations

from functools import partial

from auditor.core.findings import RAN, Lack, Remark, Unchecked
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import HAND, Battle
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import (
    DRAWS,
    EMPTY,
    FIGHT,
    FLIPS,
    INSTRUCTIONS,
    SHIPS,
    cards_at,
    instructions,
    is_empty,
    stage_of,
    stands_for,
)
from auditor.systems.hcg.reckoning.deployment import counted, drew_theirs, may_be_spent
from auditor.systems.hcg.reckoning.lacking import flips, instruction
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.rules.attacks import ACTIONS
from auditor.systems.hcg.rules.common import Seen, both, one_of, rule

SUBSTEPS = ("setup.flip", "setup.unique", "setup.ability", "setup.ships", "setup.skip", "draw")
NAMES = {
    FLIPS: "turning the cards up",
    INSTRUCTIONS: "the set-up instructions",
    SHIPS: "moving the ships",
    EMPTY: "the empty check",
    DRAWS: "drawing command hands",
    FIGHT: "the first battle action",
}


def in_setup(position: Position) -> Battle | None:
    """The battle that is being set up, if one is."""
    battle = position.battle
    return battle if battle is not None and battle.step == "setup" else None


@rule("HCG-BSET-01", "The order of the set-up", section="4.10", events=SUBSTEPS, kinds=["illegal"])
def substeps_come_in_order(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """The sector card is turned, all cards there are flipped face up, set-up instructions are carried out, ships move to
    the fleets, the sector is looked at for an empty side, command hands are drawn: in this order.

    Log:  the order of events.
    Edge: ships that are moved after a draw change nothing and are no fault.
    """
    battle, stage = position.battle, stage_of(event)
    if battle is None or stage is None:
        return None
    late = battle.stage
    if battle.step != "setup" and stage < DRAWS:
        late = FIGHT
    if stage >= late or stage not in (FLIPS, INSTRUCTIONS) or battle.behind:
        return RAN  # More of what comes too late is no second fault.
    who = event.by or both(position)
    text = f"{who} set up the battle in the wrong order: {NAMES[stage]} after {NAMES[late]}, not before."
    return [substeps_come_in_order.illegal(text, claimed=NAMES[stage], recomputed=NAMES[late])]


@rule("HCG-BSET-02", "The right sector", section="4.10", events=["setup.flip"], kinds=["miscalculated"])
def set_up_is_at_the_sector_chosen(event: records.SetupFlip, view: View, position: Position, hearing: Hearing) -> Seen:
    """The sector card of the battle is turned: what is set up is the sector that was chosen.

    Log:  the sector, a claim.
    """
    battle = in_setup(position)
    if battle is None:
        return None
    if event.sector is None:
        hearing.not_claimed()
        return None
    if event.sector == battle.sector:
        return RAN
    turned = f"The log has {both(position)} turn up the cards of sector {event.sector}"
    text = f"{turned}; their battle is at sector {battle.sector}."
    return [
        set_up_is_at_the_sector_chosen.miscalculated(
            text, claimed={"sector": event.sector}, recomputed={"sector": battle.sector}, player=None,
        )
    ]  # fmt: skip


@rule(
    "HCG-BSET-03",
    "Cards are turned up",
    section="4.10",
    events=[*SUBSTEPS, *ACTIONS],
    kinds=["illegal", "omitted", "ambiguous"],
    readings=["OR-LEFTFACE"],
    when=dict.fromkeys([*SUBSTEPS, *ACTIONS], ("set-up",)),
)
def all_cards_are_turned_up(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """All face-down cards at the sector are turned up.

    Log:  the instances, and which cards they are.
    Edge: a card that cannot be there and was deployed unnamed is a fault of that deployment, where one alone can be meant.
          A card that was face up before may be listed. Whether one that was left at an unfought sector when a turn ended
          was turned face down is OR-LEFTFACE.
    """
    battle = in_setup(position)
    if battle is None:
        return None
    if isinstance(event, records.SetupFlip):
        return _turned_up(event, position, battle)
    stage = stage_of(event)
    if stage is None or battle.stage > FLIPS or position.table.setup.terse:
        return None
    seen = []
    for player in position.table.players:
        down = [one for _, one, at in cards_at(position, player) if at.face == "down"]
        left = [one for _, one, at in cards_at(position, player) if at.face == "up" and one in position.left]
        if left and hearing.ask("OR-LEFTFACE") == "all-down":
            down += left
        unknown = position.pool(player, "sector", battle.sector).n
        if battle.stage < FLIPS and position.table.turned_up_later(event.seq):
            # The line that turns them up comes too late: HCG-BSET-01.
            down, unknown = [one for one in down if not position.table.turned_up_later(event.seq, one)], 0
        n = len(down) + unknown
        if n:
            text = f"{n} of {player}'s cards at sector {battle.sector} {'was' if n == 1 else 'were'} not turned up."
            lacks = Lack(event.seq, flips)
            seen.append(
                all_cards_are_turned_up.omitted(text, *down, player=player, claimed=0, recomputed=n, lacks=lacks)
            )
    return seen or RAN


def _turned_up(event: records.SetupFlip, position: Position, battle: Battle) -> Seen:
    this = all_cards_are_turned_up
    if event.cards is None or any(one.card is None for one in event.cards):
        text = "The log does not say which cards were turned up."
        return [this.ambiguous(text, player=None, would_be="illegal")]
    seen = []
    slots = {battle.sector, event.sector if event.sector is not None else battle.sector}  # Else HCG-BSET-02.
    for one in event.cards:
        assert one.card is not None
        at = position.at.get(one.card)
        if at is None:
            players = position.table.players
            if any(position.may_be(one.card, player, "sector", slot) for player in players for slot in slots):
                continue
            why = f"nobody has such a card face down at sector {battle.sector}"
        elif at.zone == "sector" and at.sector in slots:
            continue
        else:
            why = f"it lies in {f'sector {at.sector}' if at.zone == 'sector' else f'the {at.zone}'}".replace("_", " ")
        player = at.player if at is not None else position.owner.get(one.card)
        deployed = stands_for(event, player, position)
        when = f"deployed at event {' or '.join(map(str, deployed))} and " if deployed else ""
        text = f"{position.named(one.card)} was {when}turned up at sector {battle.sector}; {why}."
        seen.append(this.illegal(text, one.card, player=player, seq=deployed[0] if len(deployed) == 1 else None))
    return seen or RAN


@rule(
    "HCG-BSET-04",
    "Set-up instructions",
    section="4.10",
    events=[*SUBSTEPS, *ACTIONS],
    kinds=["illegal", "omitted", "ambiguous"],
    readings=["OR-SETUPORDER"],
    when=dict.fromkeys([*SUBSTEPS, *ACTIONS], ("set-up",)),
)
def instructions_are_carried_out(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Texts that begin "When you set up your army" are carried out, compulsorily, by every card at the sector that has one.

    Log:  one event for each instruction.
    Edge: cards that stayed from an earlier battle carry theirs out again. A copy that went back to a hand may have
          carried its own out or not.
    """
    this, battle = instructions_are_carried_out, in_setup(position)
    if battle is None:
        return None
    if isinstance(event, records.SetupAbility):
        return _carried(event, position, battle, hearing)
    stage = stage_of(event)
    if stage is None or stage <= INSTRUCTIONS or battle.stage > INSTRUCTIONS or position.table.setup.terse:
        return None
    seen = []
    for player in position.table.players:
        for instance, n in instructions(position, player):
            if position.table.later_instruction(event.seq, instance):
                continue  # It is carried out, too late.
            card = position.card_of(instance)
            assert card is not None
            text = f"{position.named(instance)} did not carry out its instruction: {card.abilities[n].text}"
            seen.append(this.omitted(text, instance, player=player, lacks=instruction(player, position)))
    return seen or RAN


def _carried(event: records.SetupAbility, position: Position, battle: Battle, hearing: Hearing) -> Seen:
    this = instructions_are_carried_out
    if event.source is None or event.source.card is None:
        text = "The log does not say which instruction was carried out."
        return [this.ambiguous(text, would_be="illegal")]
    instance = event.source.card
    at, card = position.at.get(instance), position.card_of(instance)
    if at is None:
        return [Unchecked(this.id, f"nobody knows where {instance} lies")]
    if (at.zone != "sector" or at.sector != battle.sector) and instance not in [one for one, _ in battle.carried]:
        if at.zone in ("command_hand", "set_aside") and at.player in battle.returned:
            return RAN
        text = f"{position.named(instance)} is not at sector {battle.sector}, and carried out a set-up instruction."
        return [this.illegal(text, instance, player=at.player)]
    if event.by is not None and event.by != at.player:
        text = f"{event.by} carried out the instruction of {position.named(instance)}, which is {at.player}'s."
        return [this.illegal(text, instance, claimed=event.by, recomputed=at.player)]
    if card is None:
        return [Unchecked(this.id, f"the card of {instance} is not known")]
    printed = [n for n, ability in enumerate(card.abilities) if ability.type == "setup"]
    unread = any(ability.status != "full" for ability in card.abilities)
    if not printed or (isinstance(event.source.ability, int) and event.source.ability not in printed):
        if unread:
            return [Unchecked(this.id, f"a text of {position.named(instance)} could not be read")]
        text = f"{position.named(instance)} prints no such set-up instruction."
        return [this.illegal(text, instance, player=at.player)]
    left = [n for one, n in instructions(position, at.player) if one == instance]
    if not left or (isinstance(event.source.ability, int) and event.source.ability not in left):
        text = f"{position.named(instance)} carried out its instruction a second time."
        return [this.illegal(text, instance, player=at.player)]
    return _order(instance, at.player, position, battle, hearing)


def _order(instance: str, player: str, position: Position, battle: Battle, hearing: Hearing) -> Seen:
    """Whose instructions come first, asked of one that comes after the other player's."""
    early = position.at.get(battle.carried[-1][0]) if battle.carried else None
    attacker, defender = position.player_as("attacker"), position.player_as("defender")
    if early is None or early.player == player or attacker is None or defender is None:
        return RAN
    first = {"attacker-first": attacker, "defender-first": defender, "chooser-first": battle.chooser}
    if first[hearing.ask("OR-SETUPORDER")] != player:
        return RAN
    one = battle.carried[-1][0]
    text = f"{position.named(one)} carried out its instruction before {position.named(instance)}."
    this, other = instructions_are_carried_out, early.player
    return [this.illegal(text, one, player=other, claimed=other, recomputed=player)]


@rule(
    "HCG-BSET-05",
    "Ships move to the fleets",
    section="4.10",
    events=["setup.ships", "setup.skip", *ACTIONS],
    kinds=["illegal", "omitted", "ambiguous"],
    when=dict.fromkeys(["setup.ships", "setup.skip", *ACTIONS], ("set-up",)),
)
def ships_leave_for_the_fleet(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Ships at the sector move to their owners' fleets. They arrive ready.

    Log:  the ships moved.
    Edge: moved after the command hands were drawn, but before the first battle action, they are no fault.
    """
    this, battle = ships_leave_for_the_fleet, in_setup(position)
    if battle is None:
        return None
    seen: list[Remark] = []
    if not isinstance(event, records.SetupShips):
        if position.table.setup.terse or not (isinstance(event, records.SetupSkip) or stage_of(event) == FIGHT):
            return RAN
        for player in position.table.players:
            cards = ((one, position.card_of(one)) for _, one, _ in cards_at(position, player))
            left = [one for one, card in cards if card is not None and card.kind == "ship"]
            if left:
                names = " and ".join(map(position.named, left))
                text = f"{names} {'was' if len(left) == 1 else 'were'} left at sector {battle.sector}; ships move to the fleet."
                due = partial(records.SetupShips, seq=0, by=player, ships=left)
                seen.append(this.omitted(text, *left, player=player, due=due))
        return seen or RAN
    if event.ships is None:
        return [this.ambiguous("The log does not say which ships moved.", would_be="illegal")]
    for instance in event.ships:
        at, card = position.at.get(instance), position.card_of(instance)
        if at is None:
            seen.append(Unchecked(this.id, f"nobody knows where {instance} lies"))
            continue
        if at.zone != "sector" or at.sector != battle.sector:
            why = f"is not at sector {battle.sector}"
        elif card is not None and card.kind != "ship":
            why = f"is {'an' if card.kind == 'asset' else 'a'} {card.kind}"
        elif event.by is not None and at.player != event.by:
            why = f"is {at.player}'s"
        else:
            continue
        text = f"{position.named(instance)} was moved to the fleet; it {why}."
        seen.append(this.illegal(text, instance))
    return seen or RAN


@rule(
    "HCG-BSET-06",
    "The empty check",
    section="4.10",
    events=["setup.skip", "draw", *ACTIONS],
    kinds=["illegal", "miscalculated", "ambiguous"],
    readings=["OR-BOTHEMPTY"],
    when=dict.fromkeys(["setup.skip", "draw", *ACTIONS], ("set-up",)),
)
def empty_sides_fight_no_battle(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Where a player has no card at the sector after the ships have left, the battle goes straight to the victory step: no
    command hands, no battle actions.

    Log:  the skip.
    Edge: ships do not count. Where both sides are empty, OR-BOTHEMPTY.
    """
    this, battle, stage = empty_sides_fight_no_battle, in_setup(position), stage_of(event)
    if battle is None or stage is None:
        return None
    skip = isinstance(event, records.SetupSkip)
    if not skip and battle.skipped:
        text = f"{one_of(event.by)} went on with {NAMES[stage]}; the battle at sector {battle.sector} had been skipped."
        return [this.illegal(text, claimed=NAMES[stage])]
    if not skip and (battle.stage >= DRAWS or battle.chosen == "void"):
        return None  # It cannot have been fought there, or its cards are drawn.
    players = position.table.players
    empty = {player: is_empty(position, player) for player in players}
    bare = [player for player in players if empty[player]]
    unknown = [player for player in players if empty[player] is None]
    if unknown and len(bare) != 1:
        return [Unchecked(this.id, f"nobody knows what {unknown[0]} has at sector {battle.sector}")]
    if unknown and isinstance(event, records.SetupSkip):
        return RAN
    skipped = len(bare) == 1 or (len(bare) == 2 and hearing.ask("OR-BOTHEMPTY") == "skip")
    if not isinstance(event, records.SetupSkip):
        if not skipped:
            return RAN
        text = f"{' and '.join(bare)} had no card at sector {battle.sector}, and {NAMES[stage]} followed."
        return [this.illegal(text, claimed=NAMES[stage], recomputed=bare)]
    if not skipped:
        who = "neither" if bare else "each"
        skips = f"The log skips the battle of {both(position)} at sector {battle.sector}"
        text = f"{skips}; {who} has a card there, so it is fought."
        if event.empty:
            text += f" The log says {' and '.join(event.empty)} had none."
        return [this.illegal(text, player=None, claimed=event.empty, recomputed=bare)]
    if event.empty is None:
        hearing.not_claimed()
        return RAN
    if sorted(event.empty) == sorted(bare):
        return RAN
    text = f"At sector {battle.sector} {' and '.join(bare)} had no card; the log says {' and '.join(event.empty)}."
    return [
        this.miscalculated(
            text, player=None, claimed={"empty": sorted(event.empty)}, recomputed={"empty": sorted(bare)},
        )
    ]  # fmt: skip


@rule(
    "HCG-BSET-07",
    "Six cards for the command hand",
    section="4.10",
    events=["draw", *ACTIONS],
    kinds=["illegal", "omitted", "ambiguous"],
    readings=["OR-UNIQHAND", "OR-DECKOUT"],
    when=dict.fromkeys(ACTIONS, ("set-up",)),
)
def six_are_drawn_for_command(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Each player draws a command hand of six.

    Log:  how many were drawn.
    Edge: a draw that a refill interrupts is written as two, which count as one. One that comes after the set-up was
          missed when that was over, and only then.
    """
    this, battle = six_are_drawn_for_command, position.battle
    if isinstance(event, records.Draw):
        if event.cause != "command" or event.by not in position.table.other:
            return None
        n = counted(event)
        if n is None:
            return [this.missing(["how many cards were drawn"])]
        before = battle.drew(str(event.by)) if battle is not None else 0
        if battle is None or battle.step != "setup":
            if battle is not None and battle.step == "battle" and before + n <= HAND and not position.table.setup.terse:
                return RAN  # What was missed when the set-up was over comes late.
            text = f"{event.by} drew a command hand outside the set-up of a battle."
            return [this.illegal(text, str(event.by))]
        if before + n <= HAND or drew_theirs(event, position):
            return RAN
        text = f"{event.by} has drawn {before + n} cards for the command hand; {HAND} are drawn."
        right = max(0, HAND - before)
        return [this.illegal(text, str(event.by), claimed=n, recomputed=right)]
    if battle is None or battle.step != "setup" or battle.skipped or position.table.setup.terse:
        return None
    if any(is_empty(position, player) for player in position.table.players):
        return None  # Nothing was to be drawn.
    seen = [one for player in position.table.players for one in _too_few(player, position, battle, hearing)]
    return seen or RAN


def _too_few(player: str, position: Position, battle: Battle, hearing: Hearing) -> list[Remark]:
    drawn, back = battle.drew(player), battle.returned.count(player)
    if drawn >= HAND:
        return []
    if back and drawn + back >= HAND and hearing.ask("OR-UNIQHAND") == "fills-to-six":
        return []
    if may_be_spent(player, position, hearing):
        return []
    text = f"{player} drew {drawn} cards for the command hand; {HAND} are drawn."
    due = partial(records.Draw, seq=0, by=player, n=HAND - drawn, to="command_hand", cause="command")
    return [six_are_drawn_for_command.omitted(text, player, player=player, claimed=drawn, recomputed=HAND, due=due)]


RULES = (
    substeps_come_in_order,
    set_up_is_at_the_sector_chosen,
    all_cards_are_turned_up,
    instructions_are_carried_out,
    ships_leave_for_the_fleet,
    empty_sides_fight_no_battle,
    six_are_drawn_for_command,
)
