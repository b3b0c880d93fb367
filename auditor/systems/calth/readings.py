"""The open readings of Betrayal at Calth. The first option of each is the default. Source: catalogue section 2."""

from __future__ import annotations

from auditor.core.rulings import Option, Reading


def _reading(reading_id: str, question: str, **options: str) -> Reading:
    """A reading whose first option is the default."""
    named = tuple(Option(name, means) for name, means in options.items())
    return Reading(reading_id, question, named, named[0].id)


READINGS: tuple[Reading, ...] = (
    _reading(
        "R-DIE-INIT",
        "Does a critical count when the initiative is rolled for?",
        crit_is_hit="a critical is a kind of hit here as everywhere",
        plain_hits_only="only plain hits are counted",
    ),
    _reading(
        "R-RRL-FINAL",
        "Which faces decide whether an effect may be triggered, when the Legion Vexilla re-rolled some?",
        final_faces="the faces as they finally lie",
        first_faces="the faces before the re-roll",
    ),
    _reading(
        "R-VEX-TIMING",
        "When may the Legion Vexilla re-roll?",
        before_crit="once, on the roll as first made, before an effect is chosen",
        any_time="also afterwards, and on dice that an effect added",
    ),
    _reading(
        "R-GLY-CANNON",
        "Which two faces may an assault cannon re-roll? The source lost the symbols.",
        shield_blank="shields and blanks",
        hit_blank="hits and blanks",
        hit_shield="hits and shields",
    ),
    _reading(
        "R-GLY-CANNON-MAX",
        "Which face destroys the assault cannon when four or more show? The source lost the symbol.",
        critical="criticals",
        hit="plain hits",
        blank="blanks",
    ),
    _reading(
        "R-CANNON-COUNT",
        "Over what are the assault cannon's four faces counted?",
        final_roll="the attack roll as it finally lies",
        ever_shown="every face that showed on the way",
    ),
    _reading(
        "R-CANNON-WHEN",
        "When can the assault cannon be destroyed by its own roll?",
        if_triggered="only when its effect was triggered",
        always="in every attack that it takes part in",
    ),
    _reading(
        "R-GLY-CHAIN",
        "What adds a die for the chainsword? The source lost the symbol.",
        critical="each critical of the attack roll",
        any_hit="each hit of the attack roll, criticals included",
    ),
    _reading(
        "R-GLY-PLASMA",
        "Which face overheats a plasma weapon when two of its four dice show it? The source lost the symbol.",
        critical="criticals",
        blank="blanks",
    ),
    _reading(
        "R-CMP-TALLY",
        "Does the tally that adjusts scenario 6 include scenario 6?",
        first_five="no, the first five scenarios",
        all_six="yes, all six",
    ),
    _reading(
        "R-ACT-PASS",
        "May a player who has a unit with TPs pass?",
        no_pass="no; only a player without TPs is passed over",
        pass_allowed="yes",
    ),
    _reading(
        "R-ACT-NOP",
        "Is a Run of no hexes, or a Consolidate of no models, allowed?",
        allowed="yes, it does nothing",
        not_allowed="no; the action none is there for that",
    ),
    _reading(
        "R-RDY-EMPTY",
        "What happens when a card is due and the Command deck is empty?",
        no_draw="no card is drawn",
        reshuffle="the used cards are shuffled into a new deck and one is drawn",
    ),
    _reading(
        "R-CON-TP",
        "Which TPs does a unit copy that a Consolidate creates?",
        current="those that the parent has after paying for this activation",
        before_activation="those that the parent had before it",
    ),
    _reading(
        "R-ASL-HARNESS",
        "Does the grenade harness add dice in a counter-attack?",
        action_only="no, only in an Assault action of its own unit",
        also_counter="yes",
    ),
    _reading(
        "R-HAR-STACK",
        "Do two grenade harnesses in a unit add up?",
        once="no, the unit contains one or it does not",
        each="yes, one die per model in the target for each",
    ),
    _reading(
        "R-DLS-VEX",
        "Where must the vexilla's bearer be when a last stand is rolled?",
        in_hex="still in the hex, among those that roll",
        unit_before_retreat="anywhere in the unit as it was before the retreat",
    ),
    _reading(
        "R-LOS-VERTEX",
        "Does a line of sight stop where it meets a closed hex in one corner point only?",
        clear="no, a corner is not passed through",
        blocks="yes",
    ),
    _reading(
        "R-LOS-EDGEMIX",
        "Does a hexside stop a line along it when one of its hexes is blocked and the other merely occupied?",
        counts="yes, blocked and occupied are one class",
        same_kind="no, both must be of the same class",
    ),
    _reading(
        "R-LOS-OFFBOARD",
        "Does the empty space beside the board close its side of a hexside?",
        blocked="yes, it is a blocked hex for all purposes",
        ignored="no, there is no hex there",
    ),
    _reading(
        "R-LOS-EDGEADJ",
        "Does a line along a hexside stop between two closed hexes that a sealed door or obstruction parts?",
        geometric="yes, sharing the hexside is enough",
        strict="no, the two hexes are not adjacent then",
    ),
    _reading(
        "R-LOS-TIP",
        "Does a line stop that meets only an end point of a sealed door?",
        pinch="only if something closes the other side at that point too",
        graze_ok="no",
        touch_blocks="yes",
    ),
    _reading(
        "R-LOS-ALONG",
        "Does a line stop that runs along a sealed door?",
        not_crossing="no, it does not get to the door's other side",
        crossing="yes",
    ),
    _reading(
        "R-LOS-OBST",
        "Do obstructions stop sight?",
        see_through="no, they only part hexes",
        stops="yes, exactly as sealed doors do",
    ),
    _reading(
        "R-OBS-POINT",
        "Is a point on the border of the target's hex in it, for an obscured shot?",
        interior="no",
        closed="yes",
    ),
    _reading(
        "R-OBS-WIDTH",
        "How wide must the way of an obscured shot be?",
        line="one exact line is enough",
        width="a whole open fan of lines is needed",
    ),
    _reading(
        "R-OBS-BARR",
        "Which line of an obscured shot is tested against barricades?",
        shooter_best="any legal line, the best for the shooter",
        declared_line="the line to the aim point in the record",
        centre_line="the line from centre to centre",
    ),
    _reading(
        "R-BAR-TIP",
        "Is a barricade crossed by a line that enters the target's hex exactly at a corner?",
        pinch="only if both hexsides of the target's hex that meet there carry one",
        graze_ok="no",
        touch_blocks="yes, if either carries one",
    ),
    _reading(
        "R-BAR-OWNER",
        "Whom does a barricade protect?",
        owner_hex="the hex that it is drawn inside",
        both_sides="the hexes on both sides of it",
    ),
    _reading(
        "R-DEF-STACK",
        "How do the bonuses for obscured, rubble and barricade combine?",
        add="they add up",
        highest="the highest counts",
    ),
    _reading(
        "R-ARM0-BONUS",
        "Are bonus dice rolled by a model whose Armour counts as 0?",
        bonus_kept="yes, they are added to the roll, not to the Armour",
        no_dice="no, it rolls nothing",
    ),
    _reading(
        "R-SWD-ROUND",
        "How is half of an odd Armour rounded?",
        up="up",
        down="down",
    ),
    _reading(
        "R-DST-OCC",
        "May hexes be counted through occupied ones?",
        passable="yes, only blocked hexes and sealed doors stop the count",
        stops="no, save for the hex counted to",
    ),
    _reading(
        "R-DST-OBST",
        "May hexes be counted across an obstruction?",
        passable="yes, it is not named among what stops the count",
        stops="no, the hexes are not adjacent",
    ),
    _reading(
        "R-ATK-MULTI",
        "Which weapons of a model with two ranged weapons shoot?",
        all="all of them",
        one_per_model="one a model, the one that the record names",
    ),
    _reading(
        "R-PIS-TWO",
        "What does a model with two pistols add in melee?",
        once="1 die, for having a pistol",
        each="1 die for each",
    ),
    _reading(
        "R-CRT-UNUSED",
        "May the effect of a carried weapon be triggered that took no part in the attack?",
        used_only="no",
        any_carried="yes",
    ),
    _reading(
        "R-FLM-CHAIN",
        "May the follow-up attack of a flamer trigger another follow-up?",
        chain="yes, it is an attack of its own",
        once="no",
    ),
    _reading(
        "R-FLM-GONE",
        "May a flamer follow up when its first target was wiped out?",
        last_hex="yes, next to the hex that it held",
        no_follow_up="no, there is no target to be next to",
    ),
    _reading(
        "R-FLM-SIDE",
        "On whom may a flamer follow up?",
        enemy_only="an enemy unit",
        any_unit="any unit",
    ),
    _reading(
        "R-SOR-DECK",
        "Which cards are in the Damage deck for a second location in one attack?",
        reshuffle_each="all of them again",
        no_repeat_in_attack="all but those drawn in this attack",
    ),
    _reading(
        "R-SOR-CAS",
        "Does a destroyed location of Sor Gharax count as a model removed, for the retreat?",
        models_only="no",
        locations_count="yes",
    ),
)
