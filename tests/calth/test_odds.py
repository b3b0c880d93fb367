"""The odds that an audit gives for dice that were not rolled, or too many, against every case played out one by one.

The slower way knows nothing of convolutions: it writes each possible roll into the event and has the game go on from
it as it always does (`adopt`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import prod
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from auditor.core import odds
from auditor.core.effects import Aside
from auditor.systems.calth import ruleset
from auditor.systems.calth.aftermath import aftermath
from auditor.systems.calth.aftermath.attacks import Due
from auditor.systems.calth.aftermath.rolls import against
from auditor.systems.calth.packs import die_faces
from auditor.systems.calth.reckoning.claims import unclaimed
from auditor.systems.calth.reckoning.resolve import resolve
from auditor.systems.calth.records import Attack, Step, faces
from tests.calth.examples import audited, example, examples, judged
from tests.examples import Example
from tests.shares import WHOLE, is_tried

MOST_CASES = 6**5


@pytest.mark.parametrize("number", range(5))
def test_a_convolution_counts_what_an_enumeration_counts(number: int) -> None:
    for good in ("S", "C", "CH", "CHSB"):
        counted = Counter(sum(face in good for face in shown) for shown in product("CHHSSB", repeat=number))
        cases = odds.rolled(odds.die("CHHSSB", good), number)
        assert sum(cases) == 6**number
        assert {k: n for k, n in enumerate(cases) if n} == counted
        for k in range(number + 2):
            assert odds.at_least(cases, k) == Fraction(sum(n for s, n in counted.items() if s >= k), 6**number)


def test_one_critical_among_two_dice_is_eleven_of_thirty_six() -> None:
    found = odds.at_least(odds.rolled(odds.die(die_faces(), "C"), 2), 1)
    assert (found, odds.in_words(found)) == (Fraction(11, 36), "11 of 36")


@pytest.mark.parametrize("shown", ["", "S", "SHB", "SSHBB", "SSSSS"])
def test_every_choice_of_dice_too_many_counts_alike(shown: str) -> None:
    for due in range(len(shown) + 1):
        counted = Counter(choice.count("S") for choice in combinations(shown, due))
        assert {k: n for k, n in enumerate(odds.taken(shown.count("S"), len(shown), due)) if n} == counted


def test_more_dice_than_anybody_rolls_are_not_reckoned_with() -> None:
    with pytest.raises(ValueError, match="0 to 60 dice, not for 61"):
        odds.rolled((4, 2), odds.MOST_DICE + 1)


def test_odds_of_two_sides_are_those_of_an_enumeration() -> None:
    a, b = odds.rolled((3, 3), 3), odds.rolled((3, 3), 2)
    more = even = 0
    for shown in product("CHHSSB", repeat=5):
        hits = [sum(face in "CH" for face in part) for part in (shown[:3], shown[3:])]
        more += hits[0] > hits[1]
        even += hits[0] == hits[1]
    assert against(a, b) == (Fraction(more, 6**5), Fraction(even, 6**5), 1 - Fraction(more + even, 6**5))


# -- attacks, case by case -----------------------------------------------------------------------------------------


def asides(example: Example, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any, Any, Any, Aside]]:
    """What the audit of an example says of each effect, with all that it was asked with."""
    asked: list[tuple[Any, Any, Any, Any, Aside]] = []

    def listening(event: Any, position: Any, hearing: Any, fault: Any) -> Aside:
        said = aftermath(event, position, hearing, fault)
        asked.append((event, position.copy(), hearing, fault, said))
        return said

    object.__setattr__(ruleset.RULESET, "aftermath", listening)
    try:
        judged(example)
    finally:
        object.__setattr__(ruleset.RULESET, "aftermath", aftermath)
    yield from asked


def rolls_of(shown: str, due: int) -> list[str] | None:
    """Every roll that counts alike; None where there are too many."""
    if len(shown) == due:
        return [shown]
    if len(shown) > due:
        return ["".join(choice) for choice in combinations(shown, due)]
    if 6 ** (due - len(shown)) > MOST_CASES:
        return None
    return [shown + "".join(more) for more in product(die_faces(), repeat=due - len(shown))]


def completions(event: Attack, position: Any, hearing: Any) -> Iterator[Attack] | None:
    """The attack with the dice due, in every case; None where it is not simple enough for this way."""
    view = resolve(event, position, hearing)
    due = view.dice_due(hearing)
    if due is None or event.vexilla or event.rerolls or any(c.passes or c.added for c in view.crits):
        return None
    base = rolls_of(faces(event.roll) or "", int(due.value))
    passes: list[list[str] | None] = []
    for number, step in enumerate(event.steps or ()):
        armour, bonus = view.armour_due(number, hearing), view.bonus_due(number, hearing)
        assert armour is not None and bonus is not None
        passes.append(rolls_of(faces(step.faces) or "", int(armour.value) + int(bonus.value)))
    if base is None or None in passes or prod(len(p or ()) for p in passes) * len(base) > MOST_CASES:
        return None

    def each() -> Iterator[Attack]:
        for roll, *shown in product(base, *passes):
            steps = [structs.replace(step, faces=face) for step, face in zip(event.steps or (), shown, strict=True)]
            yield structs.replace(event, roll=roll, steps=steps)

    return each()


def played_out(event: Attack, position: Any, hearing: Any) -> tuple[frozenset[str], int]:
    """Who is removed by an attack, and the hits left when its passes are over, as `adopt` has it."""
    there = position.copy()
    steps: list[Step] = []
    left = resolve(event, there, hearing).pool_played() or 0
    for number, step in enumerate(event.steps or ()):  # a pass that is not reached is not made
        if left <= 0:
            break
        steps.append(step)
        left = resolve(structs.replace(event, steps=steps), there, hearing).pool_after(number, hearing)
    event = structs.replace(event, steps=steps)
    view = resolve(event, there, hearing)
    before = set(view.target_models)
    ruleset.RULESET.adopt(event, view, there, hearing)
    return frozenset(m for m in before if m in there.removed), left


def test_the_odds_of_an_attack_are_those_of_every_case_played_out(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Counter[str]()
    for tried in examples("illegal"):
        if not is_tried(3, tried):
            continue
        for event, position, hearing, fault, aside in asides(tried, monkeypatch):
            if not isinstance(event, Attack) or fault.kind == "illegal" or not aside.told:
                continue
            facts = unclaimed(event)
            cases = completions(facts, position, hearing)
            if cases is None or resolve(event, position, hearing).target_is_sor:
                continue
            outcomes = [played_out(case, position, hearing) for case in cases]
            due = Due.of(facts, position, hearing)
            assert due is not None
            for model in resolve(event, position, hearing).target_models:
                removed = Fraction(sum(model in gone for gone, _ in outcomes), len(outcomes))
                assert due.removes(model) == removed, (tried, model)
                said = {chance.what: chance.odds for chance in aside.chances}
                for what, chance in ((f"{model} stays", 1 - removed), (f"{model} is removed", removed)):
                    if what in said:
                        assert said[what] == chance, (tried, what)
                        seen["models"] += 1
            left = sum(hits for gone, hits in outcomes if len(gone) < len(due.view.target_models))
            onward = sum(pool * n for (pool, _), n in due.going_on().items())
            assert Fraction(left, len(outcomes)) == Fraction(onward, sum(due.states.values())), tried
            seen["attacks"] += 1
    assert seen["attacks"] >= (30 if WHOLE else 10) and seen["models"] >= (10 if WHOLE else 3), seen


def test_the_next_model_falls_as_often_as_in_every_case(monkeypatch: pytest.MonkeyPatch) -> None:
    (asked,) = asides(example("CAL-ATK-07/illegal"), monkeypatch)
    event, position, hearing, _, aside = asked
    view = resolve(event, position, hearing)
    (model,) = (m for m in view.target_models if m not in {step.target_model for step in event.steps})
    dice = position.table.models[model].armour + int(view.bonus_due(1, hearing).value)
    fallen = 0
    for shown in product(die_faces(), repeat=dice):
        step = Step(target_model=model, faces="".join(shown))
        gone, _ = played_out(unclaimed(structs.replace(event, steps=[*event.steps, step])), position, hearing)
        fallen += model in gone
    assert [chance.odds for chance in aside.chances] == [Fraction(fallen, 6**dice)]


# -- in words ------------------------------------------------------------------------------------------------------

SAID = {
    "CAL-ATK-05/illegal": "1 of the 4 defence dice of a1 was too many. Which dice were too many nobody can tell, so "
    "every choice of them counts alike. So a1 could have been removed: 1 of 2. From event 3 on nobody can tell.",
    "CAL-CRT-05/illegal": "4 defence dice of a1 were not rolled. So a1 could have stayed: 65 of 81. This assumes "
    "the usual die, 1 critical, 2 hits, 2 shields and 1 blank: the rules' text does not say what a die shows. "
    "From event 3 on nobody can tell.",
    "CAL-RUN-02/illegal": "At the end of the record: place of a1: 1,-1 as logged, 0,0 if it had not been done; place "
    "of a2: 1,-1 as logged, 0,0 if it had not been done. This Run could have gone as far as 1,0 and no farther. We cannot "
    "know whether the player would still have moved. What is said here assumes that the move was not made: um-1 is back at 0,0.",
    "CAL-INI-02/illegal": "The next roll of both was not made; each side would have won it: 1 of 2. What would have "
    "been done instead nobody can tell.",
}


def chance(of: str, odds: Fraction) -> dict[str, str]:
    """A chance as an audit gives it."""
    n, of_all = odds.numerator, odds.denominator
    return {"of": of, "chance": f"{n}/{of_all}", "text": f"{of}: {n} of {of_all}"}


@pytest.mark.parametrize("name", SAID)
def test_an_effect_says_what_dice_might_have_brought_and_why_the_board_is_what_it_is(name: str) -> None:
    (finding,) = audited(example(name))["findings"]
    assert finding["effect"]["text"] == SAID[name]


def test_a_die_that_was_taken_up_and_not_rolled_again_counts_in_all_its_faces() -> None:
    (finding,) = audited(example("CAL-DIE-02/illegal-face-missing"))["findings"]
    assert "1 die of the re-roll was not rolled. " in finding["effect"]["text"]
    # H S B S, of which H became B and S was taken up: a hit in 3 of 6, which 2 defence dice stop in 1 - (4/6)².
    onward = Fraction(3, 6) * Fraction(4, 6) ** 2
    assert finding["effect"]["odds"] == [
        chance("a critical shows, so that an effect could be used", Fraction(1, 6)),
        chance("a model of wb-1 is removed", onward),
    ]


def test_without_the_dice_of_a_last_stand_each_model_might_have_been_lost_or_have_stayed() -> None:
    """As the log has it that the models stand where they stood, or that they were lost."""
    (finding,) = audited(example("CAL-DLS-01/illegal-no-roll"))["findings"]
    assert finding["effect"]["odds"] == [chance("c2 is removed", Fraction(2, 3))]
    (finding,) = audited(example("CAL-DLS-01/illegal-one-did-not-roll"))["findings"]
    assert finding["effect"]["odds"] == [chance("c3 stays", Fraction(1, 3))]
    (finding,) = audited(example("CAL-DLS-01/illegal-two-dice"))["findings"]
    assert finding["effect"]["changed"] == [] and finding["effect"]["gain"] == "nobody"
    assert finding["effect"]["text"] == (
        "It changed nothing: the rest of the record is the same. Which of the 2 dice are due nobody can tell, so every "
        "choice of them counts alike; none of them shows a shield."
    )


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"shields": 2, "pool_after_shields": 1, "pool_left": 0}, "CAL-ATK-05"),
        ({"stamina_used": 2, "pool_left": 0}, "CAL-ATK-06"),
    ],
    ids=["shields", "hits needed"],
)
def test_an_attack_that_a_wrong_number_ended_could_have_gone_on(
    tmp_path: Path, wrong: dict[str, int], rule: str
) -> None:
    """The wrong number uses up the last hit: by the rules one is left, and nobody rolled the two dice against it."""
    log = example("CAL-ATK-07/illegal").log
    log["events"][2]["steps"][0].update(wrong)
    file = tmp_path / "log.json"
    file.write_text(json.dumps(log))
    (finding,) = audited(file)["findings"]
    assert finding["rule"] == rule
    falls = Fraction(sum("S" not in shown for shown in product(die_faces(), repeat=2)), len(die_faces()) ** 2)
    assert [Fraction(one["chance"]) for one in finding["effect"]["odds"]] == [falls] == [Fraction(4, 9)]
    assert "The attack would have gone on with 1 hit against another model of um-1" in finding["effect"]["text"]
    assert "4 of 9" in finding["effect"]["text"]


def test_that_other_dice_remove_nobody_else_is_said_of_those_aimed_at_where_the_attack_could_go_on(
    tmp_path: Path,
) -> None:
    """A defence die of the first model is missing, and with hits left nobody was picked after it."""
    log = example("CAL-ATK-07/illegal").log
    log["events"][2]["steps"][0]["faces"] = "S"
    file = tmp_path / "log.json"
    file.write_text(json.dumps(log))
    for finding in audited(file)["findings"]:
        assert (
            "1 defence die of a1 was not rolled. Whatever the dice show, the same models of those aimed at are removed. "
            "The attack could have gone on with 1 hit against another model"
        ) in finding["effect"]["text"]


def test_odds_stand_in_the_audit_as_fractions() -> None:
    (finding,) = audited(example("CAL-CRT-05/illegal"))["findings"]
    assert finding["effect"]["odds"] == [chance("a1 stays", Fraction(65, 81))]
    assert "4 defence dice of a1 were not rolled." in finding["effect"]["text"]


def test_dice_of_a_wrong_distance_are_not_spoken_of() -> None:
    for wrong in examples("illegal", "CAL-DST-01"):
        for finding in audited(wrong)["findings"]:
            if finding["rule"] == "CAL-DST-01":
                assert "dice" not in finding["effect"]["text"]
