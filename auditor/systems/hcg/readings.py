"""The open readings of the card game. The first option of each is the default. Source: catalogue section 2."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.core.rulings import Option, Reading


def _reading(reading_id: str, question: str, options: dict[str, str]) -> Reading:
    """A reading whose first option is the default."""
    named = tuple(Option(name, means) for name, means in options.items())
    return Reading(reading_id, question, named, named[0].id)


READINGS: tuple[Reading, ...] = (
    _reading(
        "OR-COPYID",
        "Which cards count as copies of one card for the limit of four?",
        {
            "exact-title": "cards of the very same title",
            "name-group": "all titles of one name group",
        },
    ),
    _reading(
        "OR-SIDES",
        "May both players bring the same side?",
        {
            "any": "yes, both may declare the same side",
            "opposed": "no, one is loyalist and the other traitor",
        },
    ),
    _reading(
        "OR-FWSPREAD",
        "First wave: may a player flip a second card to one sector while another sector has none?",
        {
            "one-each": "no: each flip goes to a sector that has none of the player's yet",
            "at-least-one": "yes: the step goes on until each sector has one",
        },
    ),
    _reading(
        "OR-FWREPEAT",
        "Does the first wave happen again in later turns, where the player already has cards?",
        {
            "every-turn": "every turn, at every open sector",
            "empty-only": "only at open sectors where the player has no card",
        },
    ),
    _reading(
        "OR-LEFTFACE",
        "How do cards lie that are left at a sector which was not fought over this turn?",
        {
            "as-they-lie": "each card keeps its facing",
            "all-down": "all of them are turned face down",
        },
    ),
    _reading(
        "OR-DECKOUT",
        "What happens when a card is needed from an empty deck?",
        {
            "reshuffle": "the own discard pile is shuffled into a new deck",
            "run-dry": "what there is is taken; a roll that cannot be made fails a test and counts 0 as a d6",
            "deck-loss": "that player loses at once",
        },
    ),
    _reading(
        "OR-RESHUFFLETIME",
        "When is an empty deck refilled, if it is?",
        {
            "on-need": "when a card is needed and none is left",
            "on-empty": "as soon as the last card leaves the deck",
        },
    ),
    _reading(
        "OR-ROLLRANGE",
        "Can modifiers push a roll outside 1 to 6?",
        {
            "unclamped": "yes, a roll may end below 1 or above 6",
            "clamp-1-6": "no, it stays within 1 to 6",
        },
    ),
    _reading(
        "OR-D6SHARE",
        "A d6 in a text that affects several cards: how many rolls?",
        {
            "one-roll": "one roll for all of them",
            "per-card": "one roll for each of them",
        },
    ),
    _reading(
        "OR-NOCARDSATK",
        "What happens when the planet attacker has no card at any open sector?",
        {
            "skip-to-defender": "the attacker's battle is left out, the defender's is fought",
            "turn-ends": "the turn goes to its end phase",
        },
    ),
    _reading(
        "OR-SETUPORDER",
        "Whose set-up instructions are carried out first?",
        {
            "attacker-first": "the planet attacker's",
            "defender-first": "the planet defender's",
            "chooser-first": "those of the player who chose the sector",
        },
    ),
    _reading(
        "OR-BOTHEMPTY",
        "What happens when neither side has a card left at the sector after ships have gone?",
        {
            "skip": "the battle goes straight to its victory step",
            "fight": "command hands are drawn and the battle step is played",
        },
    ),
    _reading(
        "OR-UNIQHAND",
        "Where does a unique card go that is sent back to hand at set-up?",
        {
            "joins-command-hand": "it joins the command hand, beside the six that are drawn",
            "fills-to-six": "it counts among the six cards of the command hand",
            "kept-for-deployment": "it is set aside until the next deployment",
        },
    ),
    _reading(
        "OR-UNIQNAME",
        "Which cards of different titles bear the same name?",
        {
            "group-field": "those that the card data puts in one group",
            "leading-name": "those of which one title begins with the other, at a word boundary",
        },
    ),
    _reading(
        "OR-UNIQINF",
        "A unique card is infiltrated where a copy is: whose copy is destroyed?",
        {
            "any-copy": "a copy of either side",
            "own-copy": "only a copy of the player who infiltrates",
        },
    ),
    _reading(
        "OR-CHARGEWIN",
        "Is there a tactics window after a charge, a withdrawal or a pass?",
        {
            "none": "no, none of the three opens one",
            "window": "a charge opens one",
            "window-all": "a charge, a withdrawal and a pass open one",
        },
    ),
    _reading(
        "OR-SELFBLOCK",
        "May the original target of an assault block for itself?",
        {
            "never": "no, never",
            "shooting-only": "yes: the ban covers shots only",
        },
    ),
    _reading(
        "OR-SWEEPBLOCK",
        "May the enemy block a sweeping advance?",
        {
            "allowed": "yes, as any assault",
            "not-allowed": "no",
        },
    ),
    _reading(
        "OR-SWEEPPOOL",
        "Which bonuses act on the damage of a sweeping advance?",
        {
            "pool-plus-new": "what was left over, and bonuses that begin after the first damage step",
            "reapply": "what was left over, and every assault bonus that applies to the new fight",
        },
    ),
    _reading(
        "OR-DMGACC",
        "Does damage from counterattacks in the first assault and in the sweep add up?",
        {
            "per-step": "no, each damage step is compared by itself",
            "per-ba": "yes, within the battle action",
        },
    ),
    _reading(
        "OR-SPECIALDEAD",
        "A blocked special assault kills its blocker with damage to spare and its unit dies: may the effect be chosen?",
        {
            "lost": "no, the effect is lost with its unit",
            "resolves": "yes, it may be chosen all the same",
        },
    ),
    _reading(
        "OR-COSTTIME",
        "When are the costs of a BA card, BA ability or special assault paid?",
        {
            "announce": "when it is announced",
            "resolve": "when it takes effect, after the tactics",
        },
    ),
    _reading(
        "OR-FAILEDTEST",
        "What becomes of an ability whose test fails?",
        {
            "spent": "the action or tactic, the use and the hand card are spent",
            "refunded": "the card goes back to the hand and the turn is not used",
        },
    ),
    _reading(
        "OR-FAILWIN",
        "Is there a tactics window after a battle action whose test failed?",
        {
            "none": "no: nothing is left to resolve",
            "window": "yes, as after any other action",
        },
    ),
    _reading(
        "OR-FIZZLE",
        "What happens when a chosen target is gone or no longer eligible when the effect comes?",
        {
            "partial": "as much as possible is done on what remains",
            "rechoose": "another target is chosen",
            "all-or-nothing": "nothing happens unless all of it can",
        },
    ),
    _reading(
        "OR-UPTOZERO",
        'May "up to N" be chosen with nothing eligible?',
        {
            "zero-ok": 'yes, none is within "up to"',
            "at-least-one": "no, one must be there",
        },
    ),
    _reading(
        "OR-SOURCEGONE",
        "What happens when the source of a BA ability is destroyed in the tactics window?",
        {
            "still-resolves": "its effect happens all the same",
            "fizzles": "its effect is lost",
        },
    ),
    _reading(
        "OR-TACASSET",
        "What happens when a defending asset is destroyed in the tactics window, or a fighter leaves play otherwise?",
        {
            "ends-ba": "the action ends, as for a unit",
            "continues": "the damage step is done as far as it can be",
        },
    ),
    _reading(
        "OR-EVENTSCOPE",
        "Whose cards in play supply events?",
        {
            "here-and-fleet": "the own cards at this sector and the own ships",
            "all-in-play": "the own cards everywhere that lie face up",
        },
    ),
    _reading(
        "OR-EVENTDEF",
        "Do the planet defender's assets and ships supply events of the defender?",
        {
            "symmetric": "for each player the own hand and all own cards in play",
            "units-only": "the defender's events are those of hand and units only",
            "as-written": "the attacker's round takes in all events in play but those of the defender's units",
        },
    ),
    _reading(
        "OR-EVENTSNAP",
        "An event card in play leaves play because of an earlier event: is it still carried out?",
        {
            "snapshot": "yes: what counts is the end of the battle",
            "must-remain": "no: it must still be in play",
        },
    ),
    _reading(
        "OR-WDEVENTS",
        "Do events of cards destroyed by withdrawing count?",
        {
            "gone": "no, they are destroyed as the battle ends",
            "count": "yes",
        },
    ),
    _reading(
        "OR-FLAGUNITS",
        "Must the winner of a sector have a unit with a flag there?",
        {
            "total": "the totals decide, assets and events with them",
            "need-flag-unit": "the winner must also have a unit with a flag there",
        },
    ),
    _reading(
        "OR-WINTIME",
        "When do two sectors end the game?",
        {
            "immediate": "at once",
            "end-phase": "in the end phase",
        },
    ),
    _reading(
        "OR-TIE",
        "What happens at the end of turn 4 when the totals of the taken sectors are equal?",
        {
            "extra-turns": "further turns are played",
            "draw": "the game is a draw",
        },
    ),
    _reading(
        "OR-EXTRABOTH",
        "What happens when both players take their first sector in the same extra turn?",
        {
            "compare-totals": "the requirements are compared, as after turn 4",
            "play-on": "another turn is played",
        },
    ),
    _reading(
        "OR-STATFLOOR",
        "Can a current value fall below 0?",
        {
            "floor-0": "no, it stops at 0",
            "none": "yes",
        },
    ),
    _reading(
        "OR-ZEROKILL",
        "Does 0 damage destroy a card of current armor 0?",
        {
            "literal": "yes, 0 is not less than 0",
            "needs-1": "no, at least 1 damage is needed",
        },
    ),
    _reading(
        "OR-CAZERO",
        "Does an attack that deals 0 damage trigger a counterattack?",
        {
            "needs-1": "no, the unit must be dealt damage",
            "always": "yes",
        },
    ),
    _reading(
        "OR-VSBLOCK",
        'Does a speed bonus "vs." help a unit to block?',
        {
            "not-yet": "no, it is not yet being attacked",
            "counts": "yes",
        },
    ),
    _reading(
        "OR-XSTAT",
        "X is a unit's number: the current or the printed one?",
        {
            "current": "the current number",
            "printed": "the printed number",
        },
    ),
    _reading(
        "OR-XRANGE",
        "Which numbers may a player name for X?",
        {
            "nonneg": "any whole number from 0",
            "positive": "any whole number from 1",
        },
    ),
    _reading(
        "OR-BONUSSETUP",
        "How long does a bonus from a set-up instruction last?",
        {
            "battle": "until the battle ends",
            "first-ba": "until the first battle action ends",
        },
    ),
    _reading(
        "OR-REACTPASS",
        "Reaction and modifier windows: is a pass final?",
        {
            "two-in-a-row": "no: the window closes after two passes in a row",
            "final": "yes: who passes is out of that window",
        },
    ),
    _reading(
        "OR-SELFCOST",
        "May the hand card being played be discarded to pay its own cost?",
        {
            "excluded": "no, it is already committed",
            "allowed": "yes",
        },
    ),
    _reading(
        "OR-CMDFACE",
        "May effects look at the upper face of cards in a command hand?",
        {
            "no": "no, only the command line exists there",
            "yes": "yes",
        },
    ),
)

DEFAULTS: Mapping[str, str] = {reading.id: reading.default for reading in READINGS}
"""The recommended set."""
