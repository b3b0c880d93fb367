"""Unique cards (catalogue 4.11)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from auditor.core.findings import RAN, Note, Remark, Unchecked
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.packs import Card
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import INSTRUCTIONS, cards_at, stage_of
from auditor.systems.hcg.reckoning.costs import goes_on
from auditor.systems.hcg.reckoning.names import copies_of, is_unique, may_have_a_copy, same_name
from auditor.systems.hcg.reckoning.resolve import View
from auditor.systems.hcg.rules.attacks import ACTIONS
from auditor.systems.hcg.rules.battle_setup import SUBSTEPS, in_setup
from auditor.systems.hcg.rules.common import Seen, both, rule
from auditor.systems.hcg.rules.played import NEXT

REMOVES = ("destroy", "discard", "return")
NAMES = ("OR-UNIQNAME",)
HANDS = ("command_hand", "set_aside")
BY_NOW = (
    *REMOVES, *NEXT, "event", "victory.flags", "victory.discard", "victory.result", "sector.taken", "sector.reset",
)  # fmt: skip
"""Event types with which the old copy leaves, or before which it must have left."""


def _due(event: records.Event, position: Position) -> bool:
    """Whether the unique check is over with an event of the set-up."""
    battle, stage = in_setup(position), stage_of(event)
    if battle is None or stage is None or position.table.setup.terse:
        return False
    return stage > INSTRUCTIONS >= battle.stage


def _titles_differ(position: Position, *instances: str) -> bool:
    return len({card.title for one in instances if (card := position.card_of(one)) is not None}) > 1


def _own(position: Position, hearing: Hearing) -> Iterator[tuple[str, list[str]]]:
    """(player, copies of one unique card) where a player has several at the sector."""
    for player in position.table.players:
        seen: set[str] = set()
        for _, instance, at in cards_at(position, player):
            card = position.card_of(instance)
            if instance in seen or at.face != "up" or card is None or not is_unique(card):
                continue
            copies = copies_of(instance, player, position, hearing)
            seen.update(copies)
            if copies:
                yield player, [instance, *copies]


def _shared(position: Position, hearing: Hearing) -> Iterator[tuple[str, str, str]]:
    """(player, copy at the sector, copy of the other player): there too, or sent back for that reason."""
    for player in position.table.players:
        for _, instance, at in cards_at(position, player):
            card = position.card_of(instance)
            if card is None or at.face != "up" or not is_unique(card):
                continue
            others = copies_of(instance, position.other(player), position, hearing)
            others += _gone(card, player, position, hearing)
            if others:
                yield player, instance, others[0]


def _left(
    this: Rule, event: records.Event, position: Position, hearing: Hearing, *, differ: bool, own: bool
) -> list[Remark]:
    """Copies that should have gone back and did not."""
    seen: list[Remark] = []
    if own:
        for player, copies in _own(position, hearing):
            left = [one for one in copies if not position.table.later.returns(event.seq, one)]
            if len(left) < 2 or _titles_differ(position, *left) != differ:
                continue
            named = ", ".join(map(position.named, left))
            text = f"{player} kept {named} at the sector; of copies of one unique card one stays."
            claim, right = len(left), 1
            due = partial(_lines_of, player, left)
            seen.append(this.omitted(text, *left, player=player, claimed=claim, recomputed=right, due=due))
        return seen
    for player, copy, other in _shared(position, hearing):
        if _titles_differ(position, copy, other) != differ:
            continue
        text = f"Both players had a copy at the sector ({position.named(copy)}, {position.named(other)}); "
        text += f"{position.named(copy)} did not go back to the hand."
        line = partial(records.SetupUnique, seq=0, by=player, returned=[copy], reason="both")
        seen.append(this.omitted(text, copy, player=player, due=line))
    return seen


def _lines_of(player: str, copies: list[str]) -> list[records.SetupUnique]:
    """The lines with which a player keeps one of some copies, whichever it is."""
    return [
        records.SetupUnique(seq=0, by=player, stays=one, returned=[two for two in copies if two != one], reason="own")
        for one in copies
    ]


@rule(
    "HCG-UNIQ-01",
    "Own duplicates",
    section="4.11",
    events=[*SUBSTEPS, *ACTIONS, *REMOVES],
    kinds=["illegal", "omitted", "miscalculated", "ambiguous"],
    readings=NAMES,
    when=dict.fromkeys(["draw", *ACTIONS], ("set-up",)),
)
def one_copy_stays(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """In the set-up of a battle a player who has several copies of one unique card at the sector keeps one, which is the
    player's choice, and takes the others into the hand.

    Log:  which stays, which go back.
    """
    this = one_copy_stays
    battle = in_setup(position)
    if isinstance(event, records.SetupUnique):
        if event.returned is None:
            return [this.missing(records.lacking(event))]
        return _sent_back(event, position, hearing) if battle is not None else None
    if isinstance(event, records.Change):
        return _removed(this, event, position, hearing, own=True)
    if not _due(event, position):
        return None
    return _left(this, event, position, hearing, differ=False, own=True) or RAN


def _sent_back(event: records.SetupUnique, position: Position, hearing: Hearing) -> Seen:
    """Cards that went back as duplicates of the player's own."""
    this = one_copy_stays
    if event.reason == "both":
        return None
    seen: list[Remark] = _to_no_hand(this, event, position)
    for instance in event.returned or ():
        at, card = position.at.get(instance), position.card_of(instance)
        if at is None or card is None:
            seen.append(Unchecked(this.id, f"nothing tells whether {instance} is a copy"))
            continue
        left = [one for one in copies_of(instance, at.player, position, hearing) if one not in (event.returned or ())]
        half = copies_of(instance, at.player, position, hearing, both_unique=False)
        if left or half or copies_of(instance, position.other(at.player), position, hearing):
            continue
        if event.reason is None and _gone(card, at.player, position, hearing):
            continue
        if _elsewhere(instance, position, hearing):
            continue  # It went because of the copy at another sector.
        copies = copies_of(instance, at.player, position, hearing)
        of_both = event.reason is None and may_have_a_copy(instance, position.other(at.player), position)
        if not copies and (of_both or may_have_a_copy(instance, at.player, position)):
            seen.append(Unchecked(this.id, f"nothing tells whether {instance} is a copy"))
            continue
        why = "one of the copies stays" if copies else "there is no copy of it at the sector"
        text = f"{position.named(instance)} went back to the hand; {why}."
        seen.append(this.illegal(text, instance, player=at.player))
    return seen or RAN


def _to_no_hand(this: Rule, event: records.SetupUnique, position: Position) -> list[Remark]:
    """Copies that went anywhere else than to a hand, or aside for the next one (OR-UNIQHAND: HCG-UNIQ-06)."""
    if event.to is None or event.to in HANDS or not event.returned:
        return []
    named, to = ", ".join(map(position.named, event.returned)), event.to.replace("_", " ")
    text = f"{named} left the sector as a copy and goes to the hand; the log has it go to the {to}."
    claim, right = {"to": event.to}, {"to": "command_hand"}
    return [this.miscalculated(text, *event.returned, claimed=claim, recomputed=right)]


def _gone(card: Card, player: str, position: Position, hearing: Hearing) -> list[str]:
    """The other player's copies of a card that have left the sector in this set-up."""
    found = []
    for one in position.battle.both if position.battle is not None else ():
        that = position.card_of(one)
        if that is not None and position.owner.get(one) != player and same_name(card, that, hearing):
            found.append(one)
    return found


def _elsewhere(instance: str, position: Position, hearing: Hearing) -> list[str]:
    """Copies of a card at other sectors than that of the battle."""
    card, battle = position.card_of(instance), position.battle
    found = []
    for one, at in position.at.items():
        that = position.card_of(one)
        if one == instance or that is None or card is None or battle is None:
            continue
        if at.zone == "sector" and at.sector != battle.sector and is_unique(that) and same_name(card, that, hearing):
            found.append(one)
    return found


def _is_copy(instance: str, other: str, position: Position, hearing: Hearing) -> bool:
    """Whether two cards are copies of one unique card, wherever they lie."""
    cards = [card for one in (instance, other) if (card := position.card_of(one)) is not None and is_unique(card)]
    return len(cards) == 2 and same_name(cards[0], cards[1], hearing)


def _removed(this: Rule, event: records.Change, position: Position, hearing: Hearing, *, own: bool) -> Seen:
    """A copy that was destroyed or discarded in the set-up, where it goes to the hand."""
    if in_setup(position) is None or event.cause != "unique" or event.cards is None:
        return None
    to = event.to.zone if isinstance(event.to, records.ZoneOf) else event.to
    if isinstance(event, records.Return) and to in (None, "command_hand", "set_aside"):
        return None
    seen = []
    for instance in event.cards:
        at = position.at.get(instance)
        if at is None or at.zone != "sector":
            continue
        mine = copies_of(instance, at.player, position, hearing)
        theirs = copies_of(instance, position.other(at.player), position, hearing)
        if not (mine if own else theirs and not mine):
            continue
        said = str(type(event).__struct_config__.tag)
        text = f"{position.named(instance)} was to leave the sector as a copy ({said}); it goes to the hand."
        seen.append(
            this.miscalculated(
                text, instance, player=at.player, claimed={"to": "discard" if said != "return" else str(to)},
                recomputed={"to": "command_hand"},
            )
        )  # fmt: skip
    return seen or RAN


@rule(
    "HCG-UNIQ-02",
    "Copies on both sides",
    section="4.11",
    events=[*SUBSTEPS, *ACTIONS, *REMOVES],
    kinds=["illegal", "omitted", "miscalculated"],
    readings=NAMES,
    when=dict.fromkeys(["draw", *ACTIONS], ("set-up",)),
)
def copies_on_both_sides_go_back(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """After that, if both players have a copy at the sector, both copies go to their owners' hands.

    Log:  which cards go back.
    Edge: first own duplicates, then this: in the end no copy remains.
    """
    this = copies_on_both_sides_go_back
    if isinstance(event, records.Change):
        return _removed(this, event, position, hearing, own=False)
    if isinstance(event, records.SetupUnique):
        if event.reason != "both" or in_setup(position) is None:
            return None
        seen: list[Remark] = _to_no_hand(this, event, position)
        for instance in event.returned or ():
            at, card = position.at.get(instance), position.card_of(instance)
            if at is None or card is None:
                seen.append(Unchecked(this.id, f"nothing tells whether {instance} is a copy"))
                continue
            other = position.other(at.player)
            if _gone(card, at.player, position, hearing) or copies_of(instance, other, position, hearing):
                continue
            if copies_of(instance, other, position, hearing, both_unique=False):
                continue
            if _elsewhere(instance, position, hearing):
                continue  # It went because of the copy at another sector.
            if may_have_a_copy(instance, other, position):
                seen.append(Unchecked(this.id, f"nothing tells whether {instance} is a copy"))
                continue
            text = f"{position.named(instance)} went back to the hand; {other} has no copy of it at the sector."
            seen.append(this.illegal(text, instance, player=at.player))
        return seen or RAN
    if not _due(event, position):
        return None
    return _left(this, event, position, hearing, differ=False, own=False) or RAN


@rule(
    "HCG-UNIQ-03",
    "The same name",
    section="4.11",
    events=[*SUBSTEPS, *ACTIONS],
    kinds=["omitted"],
    readings=NAMES,
    when=dict.fromkeys(["draw", *ACTIONS], ("set-up",)),
)
def same_names_count_as_one_card(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """Cards of the same name count as the same card even where their titles differ: a character alone and with an escort.

    Log:  which cards go back; the name group of each card is told by the card set.
    Edge: where only one of two cards of a name is unique, whatever the players did is accepted.
    """
    this = same_names_count_as_one_card
    if isinstance(event, records.SetupUnique):
        return _only_one_unique(this, event.returned or [], position, hearing)
    if not _due(event, position):
        return None
    seen = _left(this, event, position, hearing, differ=True, own=True)
    if not seen:
        seen = _left(this, event, position, hearing, differ=True, own=False)
    return seen or RAN


def _only_one_unique(this: Rule, returned: list[str], position: Position, hearing: Hearing) -> Seen:
    for instance in returned:
        at = position.at.get(instance)
        if at is None or at.zone != "sector":
            continue
        for player in position.table.players:
            half = copies_of(instance, player, position, hearing, both_unique=False)
            if half:
                text = f"Of {position.named(instance)} and {position.named(half[0])} only one is unique: the text does "
                return [Note("reading", text + "not decide whether they are copies.", this.id)]
    return RAN if returned else None


@rule(
    "HCG-UNIQ-04",
    "Infiltrating a unique card",
    section="4.11",
    events=["infiltrate", *BY_NOW],
    kinds=["illegal", "omitted", "miscalculated", "ambiguous"],
    readings=["OR-UNIQINF", *NAMES],
    when=dict.fromkeys(BY_NOW, ("arrived",)),
)
def the_old_copy_is_destroyed(event: records.Event, view: View, position: Position, hearing: Hearing) -> Seen:
    """A unique card that is infiltrated to a sector that has a copy: the old copy is destroyed.

    Log:  the destruction, directly after.
    Edge: whose copy, OR-UNIQINF.
    """
    this = the_old_copy_is_destroyed
    battle = position.battle
    if isinstance(event, records.Infiltrate):
        lacking = records.lacking(event)
        return [this.missing(lacking)] if lacking else None
    if battle is None or not position.arrived:
        return None
    old: dict[str, list[str]] = {}
    for instance in position.arrived:
        at = position.at.get(instance)
        if at is None or at.zone != "sector" or at.sector != battle.sector:
            continue
        mine = copies_of(instance, at.player, position, hearing)
        theirs = copies_of(instance, position.other(at.player), position, hearing)
        if theirs and hearing.ask("OR-UNIQINF") == "own-copy":
            theirs = []
        old[instance] = [one for one in (*mine, *theirs) if one not in position.arrived]
    if isinstance(event, records.Change) and not goes_on(event):
        if event.cause != "unique":
            return None
        said, all_old = str(type(event).__struct_config__.tag), {one for them in old.values() for one in them}
        # Who removes a card is the one whose card came in, whoever owns the removed one.
        came_for = {position.at[one].player for one in position.arrived if one in position.at}
        player = next(iter(came_for)) if len(came_for) == 1 else None
        seen: list[Remark] = []
        for instance in event.cards or ():
            if any(position.card_of(one) is None for one in (instance, *position.arrived)):
                seen.append(Unchecked(this.id, f"nothing tells whether {instance} is a copy"))
                continue
            if instance in all_old and said == "destroy":
                continue
            if instance in all_old:
                text = f"{position.named(instance)} was to leave as the old copy ({said}); it is destroyed."
                claim, right = {"op": said}, {"op": "destroy"}
                seen.append(this.miscalculated(text, instance, player=player, claimed=claim, recomputed=right))
            elif old.get(instance):
                text = f"{position.named(instance)} was removed, which had just come in; the old copy is destroyed."
                claim, right = {"cards": [instance]}, {"cards": old[instance]}  # type: ignore[dict-item]
                seen.append(this.miscalculated(text, instance, player=player, claimed=claim, recomputed=right))
            elif not any(_is_copy(instance, one, position, hearing) for one in position.arrived if one not in old):
                who = player or both(position)
                text = f"{who} removed {position.named(instance)} as a copy of a card that came in; it is none."
                seen.append(this.illegal(text, instance, player=player))
        return seen or RAN
    if not goes_on(event) or position.table.setup.terse:
        return None
    seen = []
    for instance, copies in old.items():
        for one in copies:
            text = f"{position.named(instance)} came in by infiltration, and the old copy {position.named(one)} stayed."
            player = position.at[instance].player
            seen.append(this.omitted(text, one, player=player))
    return seen or RAN


@rule(
    "HCG-UNIQ-05",
    "Sectors do not interact",
    section="4.11",
    events=["setup.unique"],
    kinds=["illegal"],
    readings=NAMES,
)
def copies_at_other_sectors_do_not_matter(
    event: records.SetupUnique, view: View, position: Position, hearing: Hearing
) -> Seen:
    """Copies at two sectors are legal: only those at the sector of the battle are looked at.

    Log:  which cards go back.
    """
    this = copies_at_other_sectors_do_not_matter
    battle = in_setup(position)
    if battle is None:
        return None
    seen = []
    for instance in event.returned or ():
        at = position.at.get(instance)
        if at is None or at.zone != "sector":
            continue
        if any(copies_of(instance, player, position, hearing) for player in position.table.players):
            continue
        if battle.both:
            continue
        far = _elsewhere(instance, position, hearing)
        if far:
            text = f"{position.named(instance)} went back to the hand because of {position.named(far[0])} at another sector; only copies at the sector of the battle count."
            seen.append(this.illegal(text, instance, player=at.player))
    return seen or RAN


@rule(
    "HCG-UNIQ-06",
    "Where returned cards go",
    section="4.11",
    events=["setup.unique"],
    kinds=["miscalculated"],
    readings=["OR-UNIQHAND"],
)
def returned_cards_join_a_hand(event: records.SetupUnique, view: View, position: Position, hearing: Hearing) -> Seen:
    """Unique cards that go back to the hand join the command hand, or are set aside for the next deployment (OR-UNIQHAND).

    Log:  `to`, a claim.
    """
    this = returned_cards_join_a_hand
    if event.to is None:
        hearing.not_claimed()
        return None
    if event.to not in HANDS:
        return None  # It joins no hand.
    due = "set_aside" if hearing.ask("OR-UNIQHAND") == "kept-for-deployment" else "command_hand"
    if event.to == due:
        return RAN
    whose = f"{event.by}'s returned" if event.by is not None else "Returned"
    is_due = {"set_aside": "are set aside", "command_hand": "join the command hand"}[due]
    as_logged = {"set_aside": "set aside", "command_hand": "join the command hand"}[event.to]
    text = f"{whose} unique cards {is_due}; the log has them {as_logged}."
    subject = tuple(event.returned or ())
    return [this.miscalculated(text, *subject, claimed={"to": event.to}, recomputed={"to": due})]


RULES = (
    one_copy_stays,
    copies_on_both_sides_go_back,
    same_names_count_as_one_card,
    the_old_copy_is_destroyed,
    copies_at_other_sectors_do_not_matter,
    returned_cards_join_a_hand,
)
