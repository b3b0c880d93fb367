"""The open readings of Calixtus' Edition. The first option of each is the default. Source: catalogue section 8."""

from __future__ import annotations

from auditor.core.rulings import Option, Reading


def _reading(reading_id: str, question: str, **options: str) -> Reading:
    """A reading whose first option is the default."""
    named = tuple(Option(name.lstrip("_"), means) for name, means in options.items())
    return Reading(reading_id, question, named, named[0].id)


HELD = frozenset({"OR-3D"})
"""Readings that are ruled like the others, but not left open and never varied."""

STRICTER = frozenset({"OR-STOP", "OR-COH-WHEN", "OR-LORE-SUM", "OR-ALLOC-NEXT", "OR-TWICE", "OR-PIVOT"})
"""Readings whose other option is the stricter, more literal one (marked † in the catalogue)."""

_GAME = (
    _reading(
        "OR-FIRST",
        "What does the winner of the roll-off choose?",
        COUPLED="one package: to deploy first and have the first turn, or to leave both to the other",
        SPLIT="who deploys first and who has the first turn, each by itself",
    ),
    _reading(
        "OR-LENGTH-ROLLER",
        "Who rolls whether the game goes on?",
        SECOND="the player who goes second, after each of the turns 5, 6 and 7",
        ANY="either player",
    ),
)
_MOVE = (
    _reading(
        "OR-STOP",
        "What does stopping one inch from the enemy ask for?",
        EXCLUDE="never to be nearer than 1 inch; passing along at 1 inch is allowed",
        HALT="a model that comes to 1 inch ends its move there",
    ),
    _reading(
        "OR-COH-WHEN",
        "When must a moving unit be in coherency?",
        END="when the move of the whole unit is complete",
        STEPWISE="after the move of each model, in the order of the record",
        SIMULTANEOUS="at every moment, with all models moving together",
    ),
    _reading(
        "OR-DIFF-CAP",
        "May the die for difficult terrain carry a model further than its Movement?",
        MIN="no: the smaller of the two counts",
        REPLACE="yes: the higher die takes the place of the Movement",
    ),
    _reading(
        "OR-DIFF-SCOPE",
        "Whom does the die for difficult terrain slow down?",
        UNIT="the whole unit",
        MODEL="only the models that cross such terrain",
    ),
    _reading(
        "OR-TERRAIN-TOUCH",
        "When does a model cross a piece of terrain?",
        BASE="when its base has more than the edge in it",
        CENTRE="when the centre of its base passes through it",
    ),
    _reading(
        "OR-DANGEROUS",
        "What does dangerous terrain ask for when a unit moves through it?",
        TEST_TOO="the dice for difficult terrain, and a dangerous terrain test for each model",
        ROLL_ONLY="the dice for difficult terrain alone",
    ),
)
_PSYCHIC = (
    _reading(
        "OR-LORE-SUM",
        "How must the costs of the known powers match the lore dice?",
        UP_TO="they are at most the sum of the dice",
        EXACT="they are exactly the sum of the dice",
    ),
    _reading(
        "OR-LORE-SPLIT",
        "How are lore dice split between disciplines?",
        BY_DIE="whole dice go to a discipline",
        BY_POINT="the sum is divided freely",
    ),
    _reading(
        "OR-CHARGE",
        "How many warp charges does a psyker generate?",
        D3_TIMES_ML="one D3 times the mastery level",
        ML_D3="the sum of as many D3 as the mastery level",
    ),
    _reading(
        "OR-DISPEL",
        "What must a dispel roll exceed?",
        DICE_VS_DICE="the sum of the casting dice",
        DICE_VS_TOTAL="the sum of the casting dice and the caster's Leadership",
        TOTAL_VS_TOTAL="with the dispeller's Leadership added, the whole casting total",
    ),
    _reading(
        "OR-PERILS",
        "Does a power that brings Perils still succeed?",
        STILL_CASTS="it is judged as usual",
        FAILS="it fails",
    ),
    _reading(
        "OR-MR-STACK",
        "How do the conditions for mental resistance add up?",
        CUMULATIVE="+1 for each that is met",
        ONCE="+1 if any is met",
        ALL="+1 only if all are met",
    ),
    _reading(
        "OR-MR-AFTER",
        "May a unit resist after a dispel attempt on the same power?",
        EITHER="no: one or the other",
        ALSO="yes",
    ),
)
_FACING = (
    _reading(
        "OR-FACING-MOVE",
        "In which direction has a unit moved?",
        NET="from the start to the end of its move",
        LAST_LEG="along the last leg of its move",
    ),
    _reading(
        "OR-FACING-ORDER",
        "A unit moved and shot in one turn: which way does it face?",
        LATEST="as the later act says",
        MOVE="as the move says",
        SHOT="as the shot says",
    ),
    _reading(
        "OR-ARC",
        "Which arcs does a unit have?",
        QUARTERS="front to 45 degrees, sides to 135, rear beyond",
        HALVES="front to 90 degrees, rear beyond",
    ),
    _reading(
        "OR-VARC",
        "What bounds the arcs of a vehicle?",
        DIAGONALS="the rays from its centre through its corners",
        QUARTERS="45 and 135 degrees from its heading",
    ),
    _reading(
        "OR-3D",
        "How are distances measured between different heights?",
        PLANAR="on the plan",
        SPATIAL="with the difference in height",
    ),
    _reading(
        "OR-SUPP",
        "What makes shots of Pinning weapons suppress?",
        ALL_PINNING="being of a Pinning weapon: a hit is enough",
        SEPARATE="an unsaved wound; a hit is enough only for crossfire and outflanking shots",
    ),
    _reading(
        "OR-PIN-COUNT",
        "How many pinning tests does a unit take in a phase?",
        PER_ATTACK="one after each attack that calls for it",
        PER_PHASE="one, with the wounds of all attacks",
    ),
)
_SHOOTING = (
    _reading(
        "OR-RUN-AFTER-FAIL",
        "May a unit run after its shooting was lost because the target is out of range?",
        NO="no: it chose to shoot",
        YES="yes",
    ),
    _reading(
        "OR-GUESS-BS",
        "What does the Ballistic Skill do for a guess?",
        ADJUST="the shot may be placed up to that many inches from the guess",
        WINDOW="a guess that is off by no more is on target; a worse one is lost",
    ),
    _reading(
        "OR-GUESS-DIE",
        "Which die decides whether a guessed shot hits?",
        BS_ROLL="a D6 by the Ballistic Skill",
        SCATTER_DIE="the scatter die",
    ),
    _reading(
        "OR-ELEV",
        "How does height add to range?",
        FLOOR="1 inch for each full inch",
        LINEAR="exactly as much as the height",
    ),
    _reading(
        "OR-ELEV-REF",
        "From where is height counted?",
        GROUND="from the table",
        RELATIVE="from the height of the target",
    ),
    _reading(
        "OR-COVER-UNIT",
        "Which cover does a unit have against a firer?",
        MAJORITY="the best that at least half of its models have",
        CLOSEST="that of its model closest to the firer",
        ANY="that of any of its models",
    ),
    _reading(
        "OR-REROLL-ONCE",
        "May a shot be rerolled by two rights?",
        ONE="no: a die is rerolled once, by the better right",
        BOTH="yes: first for twin-linked, then for Ballistic Skill",
    ),
    _reading(
        "OR-JINK-TIME",
        "Until when may a unit jink?",
        BEFORE_DICE="until the first die of the attack",
        BEFORE_TARGET="before it is named as the target",
    ),
    _reading(
        "OR-GTG-TIME",
        "When may a unit that is shot at go to ground?",
        BEFORE_COVER="before its first cover die",
        RETROACTIVE="until the end of the attack; cover dice are read again",
        NEXT_ATTACK="at any time, but it helps from the next attack on",
    ),
    _reading(
        "OR-ALLOC-NEXT",
        "Which model takes the next wound?",
        STICK="the closest, until it is removed",
        ROTATE="the next closest after each wound",
    ),
    _reading(
        "OR-ALLOC-FROM",
        "From where is the closest model measured?",
        NEAREST_FIRER="from the nearest firer of the pool",
        UNIT_CENTRE="from the middle of the firing unit",
    ),
    _reading(
        "OR-CROSS",
        "Which attacks come from opposite directions?",
        FIXED="one to the front, one to the rear of the facing before the first attack",
        LIVE="one to the front, the next to the rear of the facing that it left",
        OPPOSED="two whose bearings differ by more than 135 degrees",
    ),
    _reading(
        "OR-CROSS-NEED",
        "What must the two attacks of a crossfire have done?",
        SHOT="been in range",
        HIT="hit",
        WOUND="wounded",
    ),
    _reading(
        "OR-CROSS-REPEAT",
        "How often is a unit caught in crossfire in a phase?",
        ONCE="once",
        EACH="with every further opposed attack",
    ),
    _reading(
        "OR-CROSS-MORALE",
        "Do wounds of a crossfire count for the morale check of the phase as well?",
        REPLACES="no",
        BOTH="yes",
    ),
    _reading(
        "OR-WOUNDS",
        "Which wounds count for morale and crossfire?",
        UNSAVED="those that were not saved",
        INFLICTED="all, before saves",
    ),
    _reading(
        "OR-MORALE-WHEN",
        "When is morale checked for wounds from shooting?",
        PER_PHASE="once, at the end of the phase, for all wounds",
        PER_ATTACK="after each attack",
    ),
)
_WEAPONS = (
    _reading(
        "OR-HEAVY-CHARGE",
        "May a unit charge after firing heavy weapons or ordnance?",
        NEVER="no",
        IF_MOVED="only if it did not move",
    ),
    _reading("OR-RAPID-CHARGE", "May a unit charge after rapid fire?", MAY="yes", NO="no"),
    _reading(
        "OR-RAPID-HALF",
        "Half of which range gives rapid fire its second shot?",
        EFFECTIVE="of the range with height",
        PRINTED="of the printed range",
    ),
    _reading("OR-SALVO-STAND", "May a unit charge after a salvo fired standing?", MAY="yes", NO="no"),
    _reading(
        "OR-PISTOL",
        "May pistols shoot while their unit is in combat?",
        LOCKED_FIRE="yes, in the Shooting Phase",
        CCW="no: they only count as combat weapons",
    ),
    _reading(
        "OR-GREN-G",
        "What does the G in the range of grenades mean?",
        PLAIN="a range of 6 inches",
        GUESS="a guessed range of at most 6 inches",
    ),
    _reading(
        "OR-FORGO",
        "What does a model that throws a grenade give up?",
        CHARGE_ONLY="its attack for charging",
        ALL="every bonus of the charge",
    ),
    _reading(
        "OR-FRAG-TEST",
        "How is a pinning test for a grenade taken?",
        ONE="once, at -1 for each wound",
        PER_WOUND="once for each wound, at -1",
    ),
    _reading("OR-FRAG-TRIGGER", "What calls for the test?", HIT="a hit", WOUND="a wound"),
    _reading(
        "OR-FRAG-INIT",
        "At which Initiative do defenders in cover fight who were pinned by a grenade?",
        INIT1="at 1",
        NORMAL="at their own",
    ),
    _reading(
        "OR-DEF-TIME",
        "When does a charged unit throw a grenade?",
        AFTER_ROLL="after the charge roll has succeeded",
        BEFORE_ROLL="before the charge dice",
        EITHER="before or after",
    ),
    _reading(
        "OR-DEF-FAIL",
        "What do chargers do whom a grenade pinned?",
        STAY="they stay where they are",
        FULL="they move what they rolled, short of contact",
    ),
    _reading(
        "OR-EMP",
        "What does an EMP grenade do on a 4 or more?",
        WOUND="it wounds, pins, and sets Initiative to 1",
        NO_WOUND="it pins and sets Initiative to 1, without a wound",
    ),
    _reading(
        "OR-EMP-PIN",
        "Does an EMP grenade pin without a test?",
        OUTRIGHT="yes, on a 4 or more",
        TEST="no: the unit takes a pinning test",
    ),
    _reading(
        "OR-PHOTON",
        "What takes the charge bonus away?",
        THROWN="that a photon grenade was thrown",
        HIT="that it hit a model",
    ),
)
_ASSAULT = (
    _reading(
        "OR-CHARGE-START",
        "Which start gives no bonus for charging?",
        WITHIN="1 inch or less from the enemy",
        EXACT="exactly 1 inch from the enemy",
    ),
    _reading(
        "OR-CHARGE-SHORT",
        "How far does a failed charge go?",
        FULL="all that was rolled",
        STOP="until 1 inch from an enemy",
    ),
    _reading(
        "OR-CHARGE-DIST",
        "Along what is the distance of a charge measured?",
        STRAIGHT="a straight line",
        PATH="the way around impassable terrain",
    ),
    _reading(
        "OR-FRONT",
        "Who stands in the front line?",
        CONTACT="models in contact with an enemy",
        ENGAGED="these, and models within 2 inches of one of them",
    ),
    _reading(
        "OR-WS",
        "Up to which Weapon Skill of the defender is a 4 enough?",
        TWICE_MINUS_ONE="twice the attacker's less 1",
        TWICE_OF_A_MINUS_1="twice what is one less than the attacker's",
    ),
    _reading(
        "OR-TWICE",
        "When is Strength twice, or half, the Toughness?",
        AT_LEAST="at twice or more, at half or less",
        EXACT="only at exactly that",
    ),
    _reading(
        "OR-TOWOUND-SHOOT",
        "By which chart do shots wound?",
        SAME="by that of combat",
        BASE="by that of the base game",
    ),
    _reading("OR-SURPRISE-STACK", "Do a rear charge and the special rule add up?", NO="no", YES="yes"),
    _reading(
        "OR-HIGH",
        "How long does assaulting uphill lower Initiative?",
        CHARGE_TURN="in the turn of the charge",
        EVERY_ROUND="in every round, for the side that charged",
    ),
)
_VEHICLES = (
    _reading(
        "OR-PIVOT",
        "What does a pivot of less than 90 degrees cost?",
        PRORATA="its part of an inch",
        FLOOR="nothing: full quarters only",
        CEIL="an inch for each quarter begun",
    ),
    _reading("OR-PIVOT-WHO", "Which vehicles pivot?", NON_WALKER="all but walkers", ALL_VEHICLES="all"),
    _reading(
        "OR-PEN",
        "How many wounds does a penetrating hit take off?",
        ONE_PLUS_N="1, and 1 for each point above the armour",
        N="1 for each point above the armour",
    ),
    _reading(
        "OR-AP1-GLANCE",
        "What does AP 1 make of a glancing hit?",
        TWO="a penetrating hit by one point",
        ONE="a penetrating hit by no point",
    ),
    _reading(
        "OR-REND-VEH",
        "Which 6 gives rending its D3 against a vehicle?",
        PEN_DIE="that of the penetration die",
        HIT_DIE="that of the die to hit",
    ),
)
_SPECIAL = (
    _reading("OR-HEFTY-S", "Whose Strength counts for Hefty?", ATTACK="that of the attack", USER="that of the user"),
    _reading("OR-1PLUS", "From where does Hefty count against 1+ armour?", TWO="from 2+", ONE="from 1+"),
    _reading(
        "OR-HES-AP",
        "Does AP deny a shielded save against an NBC attack?",
        AP_APPLIES="yes, as always",
        AP_IGNORED="no",
    ),
    _reading("OR-HIDE-SHOOT", "Does shooting reveal hidden infiltrators?", STAYS="no", REVEALS="yes"),
    _reading(
        "OR-OUTFLANK",
        "What does suppression by outflankers mean?",
        PINS="a hit forces a pinning test and turns the unit",
        MODIFIER="only the modifiers of suppression apply",
    ),
    _reading("OR-PE-SNAP", "Does Preferred Enemy hold for Snap Shots?", APPLIES="yes", NOT="no"),
    _reading(
        "OR-HATRED-A",
        "When does hatred give an attack?",
        IF_CHARGED="in a turn of charging",
        FIRST_TURN="in the first turn of combat in any case",
    ),
    _reading(
        "OR-PRONE",
        "Who may drop prone?",
        USR="units with the rule",
        GENERAL="every unit fired at by Pinning weapons",
    ),
    _reading(
        "OR-PRONE-COVER",
        "What cover does lying prone give?",
        OPEN_ONLY="6+ where there is nothing better",
        PLUS_ONE="one level more",
    ),
)

READINGS: tuple[Reading, ...] = (
    *_GAME,
    *_MOVE,
    *_PSYCHIC,
    *_FACING,
    *_SHOOTING,
    *_WEAPONS,
    *_ASSAULT,
    *_VEHICLES,
    *_SPECIAL,
)
