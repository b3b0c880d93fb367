"""Readings that are asked, ruled on, left open, or too many."""

from __future__ import annotations

from dataclasses import replace

import pytest

from auditor.core import bounds
from auditor.core.findings import Fault, Note, Unchecked
from auditor.core.replay import Replay
from auditor.core.ruleset import rule
from auditor.core.rulings import BadRulings, ChangedBeforeAsked, Option, Reading, Setting, rulings
from auditor.core.scopes import covers, simplified
from tests.core.helpers import a_record, audited, brief, numbered, ruled
from tests.core.machines import MACHINE, Act, Registers, ask

SETTINGS = (Setting("tolerance", "How much is too much."), Setting("rounds", "How long.", "whole", "6"))


def only_scope(value):
    (finding,) = value["findings"]
    return finding["scope"]


def many(count, options=2):
    """The machine with `count` readings R-00, R-01 … of options `no`, `o1`, … and a rule to be put in."""
    readings = tuple(
        Reading(f"R-{n:02}", "?", tuple(Option(o, o) for o in ["no", *(f"o{k}" for k in range(1, options))]), "no")
        for n in range(count)
    )
    return replace(MACHINE, readings=readings)


def with_check(ruleset, check):
    """The ruleset with one rule, X-1, that looks at every act."""
    check.__doc__ = "A rule."
    return replace(
        ruleset, rules=(rule("X-1", "X", chapter="X", source="toy", events=["act"], kinds=["illegal"])(check),)
    )


def test_a_fault_under_every_option_that_was_asked_is_a_fault_under_every_reading():
    value = audited(MACHINE, numbered(Act(0, 0, ask("R-A", a1=1, a2=0), claimed=2)))
    assert only_scope(value) == {"kind": "every_reading"}


def test_a_check_that_asks_nothing_is_run_once_whatever_a_later_one_asks():
    runs = []

    def sees(event, resolved, position, hearing):
        """Asks nothing."""
        runs.append(event)
        return [plain_rule.illegal("Wrong.")]

    def asks(event, resolved, position, hearing):
        """Sees nothing."""
        hearing.ask("R-A")
        return ()

    declared = {"chapter": "X", "source": "toy", "events": ["act"], "kinds": ["illegal"]}
    plain_rule = rule("X-1", "X", **declared)(sees)
    rules = (plain_rule, rule("X-2", "X", **declared)(asks))
    value = audited(replace(MACHINE, rules=rules), numbered(Act(0, 0, ("is", 0))))
    assert only_scope(value) == {"kind": "every_reading"}
    assert len(runs) == 1


def test_where_the_recomputed_value_differs_the_others_are_listed():
    value = audited(MACHINE, numbered(Act(0, 0, ask("R-B", b1=1, b2=2, b3=0), claimed=2)))
    (finding,) = value["findings"]
    assert (finding["kind"], finding["recomputed"]) == ("miscalculated", 1)
    assert finding["scope"]["clears"] == [{"R-B": "b2"}]
    assert finding["under"] == [{"readings": {"R-B": "b3"}, "kind": "omitted", "recomputed": 0}]


def test_a_reading_first_asked_on_a_branch_joins_the_scope():
    program = ("ask", "R-A", {"a1": ("is", 0), "a2": ask("R-B", b1=0, b2=1, b3=1)})
    value = audited(MACHINE, numbered(Act(0, 0, program, claimed=0)))
    (finding,) = value["findings"]
    assert not finding["stands"] and value["verdict"] == "clean"
    assert finding["scope"]["holds"] == [{"R-A": "a2", "R-B": "b2"}, {"R-A": "a2", "R-B": "b3"}]
    assert len(finding["scope"]["clears"]) == 4


def test_only_readings_that_decide_are_listed():
    program = ("sum", ask("R-A", a1=0, a2=0), ask("R-C", c1=0, c2=1))
    value = audited(MACHINE, numbered(Act(0, 0, program, claimed=0)))
    assert only_scope(value)["holds"] == [{"R-C": "c2"}]


@pytest.mark.parametrize(
    ("chosen", "kind", "stands", "verdict"),
    [
        ({"R-A": "a1"}, "miscalculated", False, "clean"),
        ({"R-A": "a2"}, "miscalculated", True, "findings"),
        ({"R-A": "open"}, "ambiguous", False, "incomplete"),
        ({"R-A": "a2", "R-B": "open", "R-C": "open"}, "miscalculated", True, "findings"),
    ],
)
def test_a_finding_is_undecided_exactly_where_an_open_reading_makes_the_difference(chosen, kind, stands, verdict):
    program = ("sum", ask("R-A", a1=0, a2=1), ask("R-C", c1=0, c2=0))
    value = audited(MACHINE, numbered(Act(0, 0, program, claimed=0)), chosen)
    (finding,) = value["findings"]
    assert (finding["kind"], finding["stands"], value["verdict"]) == (kind, stands, verdict)
    assert finding["would_be"] == ("miscalculated" if kind == "ambiguous" else None)
    assert ("nobody has answered “R-A” (R-A)" in finding["text"]) == (kind == "ambiguous")


def test_an_accusation_that_one_open_option_leaves_undecided_is_undecided():
    def check(event, resolved, position, hearing):
        kind = "illegal" if hearing.ask("R-A") == "a1" else "ambiguous"
        return [Fault("X-1", kind, "Maybe.", rests_on=())]

    game = with_check(MACHINE, check)
    act = numbered(Act(0, 0, ("is", 0)))
    assert brief(audited(game, act, {"R-A": "open"})) == [("X-1", 1, "ambiguous", False)]
    value = audited(game, act, {"R-A": "a1"})
    assert brief(value) == [("X-1", 1, "illegal", True)]
    assert only_scope(value)["holds"] == [{"R-A": "a1"}], "an accusation does not hold where it is undecided"
    assert value["findings"][0]["under"] == [{"readings": {"R-A": "a2"}, "kind": "ambiguous", "recomputed": None}]


@pytest.mark.parametrize("accusing", ["b2", "b3"])
def test_what_is_undecided_says_what_it_would_be_under_the_option_that_accuses(accusing):
    def check(event, resolved, position, hearing):
        option = hearing.ask("R-B")
        kind = "illegal" if option == accusing else "ambiguous"
        return [Fault("X-1", kind, "Maybe.", rests_on=())] if option != "b1" else ()

    value = audited(with_check(MACHINE, check), numbered(Act(0, 0, ("is", 0))), {"R-B": "open"})
    (finding,) = value["findings"]
    assert (finding["kind"], finding["would_be"]) == ("ambiguous", "illegal")
    assert finding["text"] == "Maybe. Whether that is so cannot be told: nobody has answered “R-B” (R-B)."


def test_an_ambiguity_under_a_reading_that_nobody_chose_is_a_note():
    def check(event, resolved, position, hearing):
        return [Fault("X-1", "ambiguous", "Maybe.")] if hearing.ask("R-A") == "a2" else ()

    value = audited(with_check(MACHINE, check), numbered(Act(0, 0, ("is", 0))))
    assert value["findings"] == [] and value["verdict"] == "clean"
    assert [(one["kind"], one["text"]) for one in value["notes"]] == [
        ("reading", "If the answer to “R-A” is “a2” (R-A: a2): Maybe.")
    ]


def test_notes_are_those_of_the_rulings_in_force():
    def check(event, resolved, position, hearing):
        return [Note("tolerance", hearing.ask("R-A"), "X-1")]

    game = with_check(MACHINE, check)
    for option in ("a1", "a2"):
        value = audited(game, numbered(Act(0, 0, ("is", 0))), {"R-A": option})
        assert [one["text"] for one in value["notes"]] == [option]


def test_what_could_not_be_checked_under_an_open_option_leaves_the_audit_incomplete():
    def check(event, resolved, position, hearing):
        return [Unchecked("X-1", "no fact")] if hearing.ask("R-A") == "a2" else ()

    game = with_check(MACHINE, check)
    act = numbered(Act(0, 0, ("is", 0)))
    assert audited(game, act)["verdict"] == "clean"
    assert audited(game, act, {"R-A": "open"})["verdict"] == "incomplete"


def test_a_scope_is_whole_whatever_could_not_be_checked_of_another_rule():
    def check(event, resolved, position, hearing):
        return [Fault("X-1", "illegal", "Odd.", rests_on=()), unchecked] if hearing.ask("R-A") == "a1" else ()

    for rule_id, is_partial in (("X-0", False), ("X-1", True), ("X-2", False)):
        unchecked = Unchecked(rule_id, "no fact")
        scope = only_scope(audited(with_check(MACHINE, check), numbered(Act(0, 0, ("is", 0)))))
        assert (scope["holds"], scope["partial"]) == ([{"R-A": "a1"}], is_partial)


def test_what_an_event_is_judged_again_is_taken_from_what_the_record_may_cost():
    events = numbered(*(Act(0, 0, ("is", 0)) for _ in range(2)))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("LEAST_SPARE", "MOST_SPARE"):
            patch.setattr(bounds, name, 8)
        first, second = (one["scope"] for one in audited(everything(many(3)), events)["findings"])
    assert first == {"kind": "every_reading"}
    assert second["kind"] == "only_under" and second["partial"]


def test_faults_that_are_alike_are_put_right_under_the_options_of_each():
    def check(event, resolved, position, hearing):
        return [Fault("X-1", "illegal", "Odd.", (hearing.ask("R-A"),), rests_on=())]

    def undone(event, resolved, position, hearing, fault):
        position.values[0] = {"a1": 1, "a2": 2}[hearing.ask("R-A")]

    game = replace(with_check(MACHINE, check), undone=undone)
    findings = audited(game, numbered(Act(0, 0, ("is", 0))), everything=True)["findings"]
    told = {one["subject"][0]: [part["as_if_not_done"] for part in one["effect"]["changed"]] for one in findings}
    assert told == {"a1": [1], "a2": [2]}


def test_rules_are_counted_once_an_event_however_many_readings_it_asks():
    program = ("sum", ask("R-A", a1=0, a2=1), ask("R-B", b1=0, b2=1, b3=2))
    events = numbered(Act(0, 0, program), Act(0, 1, program, claimed=1), Act(0, 2, ("in", 0), claimed=0))
    value = audited(MACHINE, events)
    runs = {one["rule"]: one["times"] for one in value["coverage"]["rules_run"]}
    assert runs == {"MAC-RESULT": 2, "MAC-LIMIT": 3}
    assert value["coverage"]["resolved"] == 3


def test_claims_that_were_not_made_are_counted_once_an_event():
    def check(event, resolved, position, hearing):
        hearing.not_claimed()
        hearing.ask("R-A")
        return ()

    value = audited(with_check(MACHINE, check), numbered(*(Act(0, 0, ask("R-B", b1=0, b2=1, b3=2)) for _ in range(3))))
    assert value["coverage"]["not_claimed"] == 3


def test_above_64_assignments_the_neighbours_of_the_selected_one_are_listed():
    game = many(7)

    def check(event, resolved, position, hearing):
        changed = sum([hearing.ask(reading.id) != "no" for reading in game.readings])
        return [Fault("X-1", "illegal", "Odd.", rests_on=())] if changed % 2 else ()

    scope = only_scope(audited(with_check(game, check), numbered(Act(0, 0, ("is", 0)))))
    assert scope["partial"]
    assert len(scope["holds"]) == 7 and len(scope["clears"]) == 1 + 7 * 6 // 2
    assert all(sum(option != "no" for option in cube.values()) == 1 for cube in scope["holds"])


def test_64_assignments_are_listed_in_full():
    game = many(6)

    def check(event, resolved, position, hearing):
        changed = sum([hearing.ask(reading.id) != "no" for reading in game.readings])
        return [Fault("X-1", "illegal", "Odd.", rests_on=())] if changed % 2 else ()

    scope = only_scope(audited(with_check(game, check), numbered(Act(0, 0, ("is", 0)))))
    assert not scope["partial"] and len(scope["holds"]) == len(scope["clears"]) == 32


def everything(game):
    """A check that asks every reading and always sees a fault."""

    def check(event, resolved, position, hearing):
        for reading in game.readings:
            hearing.ask(reading.id)
        return [Fault("X-1", "illegal", "Always.", rests_on=())]

    return with_check(game, check)


def test_an_event_that_asks_too_much_gives_no_fault_under_every_reading():
    game = everything(many(10))
    (finding,) = audited(game, numbered(Act(0, 0, ("is", 0))))["findings"]
    assert finding["stands"], "nothing open makes the difference under the rulings in force"
    assert finding["scope"]["kind"] == "only_under" and finding["scope"]["partial"]
    assert finding["scope"]["clears"] == []


def test_what_was_not_judged_is_neither_among_what_holds_nor_among_what_clears():
    game = everything(many(12, options=3))
    scope = only_scope(audited(game, numbered(Act(0, 0, ("is", 0)))))
    neighbours = 1 + 12 * 2 + (12 * 11 // 2) * 4
    assert scope["partial"] and scope["clears"] == []
    assert len(scope["holds"]) < neighbours


def test_an_event_that_asks_too_many_open_readings_accuses_nobody():
    game = everything(many(10))
    value = audited(game, numbered(Act(0, 0, ("is", 0))), {f"R-{n:02}": "open" for n in range(10)})
    assert brief(value) == [("X-1", 1, "ambiguous", False)]
    assert value["coverage"]["unchecked"] and value["verdict"] == "incomplete"


def lanes_galore(count):
    """Events that leave a position of its own behind for each option of each of `count` readings."""
    game = replace(
        many(count),
        opening=lambda record: Registers([0] * count),
        resolve=lambda event, position, hearing: int(hearing.ask(f"R-{event.register:02}") == "no"),
    )
    events = numbered(*(Act(0, n, ("is", 0)) for n in range(count)), Act(0, 0, ("is", 0), claimed=7))
    return game, events


def test_lanes_are_followed_up_to_a_bound():
    game, events = lanes_galore(6)
    replayed = Replay(game, a_record(game, events[:-1]), ruled(game), strict=True)
    replayed.run()
    assert len(replayed.lanes) == 64


@pytest.mark.parametrize("left_open", [False, True])
def test_an_adoption_that_asks_too_much_is_followed_in_one_lane(left_open):
    def adopt(event, resolved, position, hearing):
        if event.seq == 1:
            position.values = [hearing.ask(reading.id) != "no" for reading in game.readings]
        else:
            position.values[0] = event.claimed

    game = replace(many(10), adopt=adopt)
    events = numbered(Act(0, 0, ("is", 0)), Act(0, 0, ("is", 0), claimed=1))
    value = audited(game, events, {f"R-{n:02}": "open" for n in range(10)} if left_open else {})
    (finding,) = value["findings"]
    assert finding["scope"]["kind"] == "only_under" and finding["scope"]["partial"]
    assert finding["kind"] == ("ambiguous" if left_open else "omitted")
    assert [one["seq"] for one in value["coverage"]["unchecked"]] == ([1] if left_open else [])


def test_lanes_beyond_the_bound_make_scopes_partial():
    game, events = lanes_galore(8)
    (finding,) = audited(game, events)["findings"]
    assert (finding["seq"], finding["stands"]) == (9, True)
    assert finding["scope"]["kind"] == "only_under" and finding["scope"]["partial"]


def test_lanes_beyond_the_bound_accuse_nobody_where_their_readings_are_open():
    game, events = lanes_galore(8)
    value = audited(game, events, {f"R-{n:02}": "open" for n in range(8)})
    assert brief(value) == [("MAC-RESULT", 9, "ambiguous", False)]
    assert [one["seq"] for one in value["coverage"]["unchecked"]] == [7]


def test_no_record_may_cost_more_judgings_than_it_is_allowed(monkeypatch):
    monkeypatch.setattr(bounds, "LEAST_SPARE", 100)
    monkeypatch.setattr(bounds, "SPARE_PER_EVENT", 0)
    game, events = lanes_galore(5)
    looks = 0
    resolve = game.resolve

    def counting(event, position, hearing):
        nonlocal looks
        looks += 1
        return resolve(event, position, hearing)

    events = numbered(*events[:5], *(Act(0, 0, ("is", 0)) for _ in range(200)))
    audited(replace(game, resolve=counting), events)
    assert looks < 205 + 2 * (100 + 256)


def settling(count):
    """The machine with readings R-00 …, and a rule that settles whether all of them are o1; and how often it looked."""
    looks = []

    def check(event, resolved, position, hearing):
        looks.append(1)
        if hearing.settle(lambda ask: all(ask(f"R-{n:02}") == "o1" for n in range(count))):
            yield Fault("X-1", "illegal", "All of them.", rests_on=())

    return with_check(many(count), check), looks


def test_what_is_settled_is_looked_at_once_for_each_answer():
    game, looks = settling(5)
    (finding,) = audited(game, numbered(Act(0, 0, ("is", 0))))["findings"]
    assert finding["scope"]["holds"] == [{f"R-{n:02}": "o1" for n in range(5)}]
    assert len(finding["scope"]["clears"]) == 31
    assert len(looks) == 2


def test_a_fault_that_was_settled_is_told_under_the_options_that_it_is_shown_for():
    def check(event, resolved, position, hearing):
        if hearing.settle(lambda ask: "o1" in [ask("R-00"), ask("R-01")]):
            yield Fault("X-1", "illegal", f"R-01 is {hearing.options['R-01']}.", rests_on=())

    # The first assignment that gives the answer is not the one in force when both are left open.
    game = with_check(many(2), check)
    events = numbered(Act(0, 0, ("is", 0)))
    replay = Replay(game, a_record(game, events), ruled(game), strict=True)
    (seen,) = replay.run().seen
    assert seen.fault.text == f"R-01 is {seen.options['R-01']}."
    (finding,) = audited(game, events, {"R-01": "o1"})["findings"]
    assert finding["text"] == "R-01 is o1." and finding["stands"]


def test_what_is_settled_does_not_answer_for_what_is_asked_after_it():
    def check(event, resolved, position, hearing):
        any_of_them = hearing.settle(lambda ask: "o1" in [ask("R-00"), ask("R-01")])
        if any_of_them and hearing.ask("R-01") == "no":
            yield Fault("X-1", "illegal", "Wrong.", rests_on=())

    (finding,) = audited(with_check(many(2), check), numbered(Act(0, 0, ("is", 0))))["findings"]
    assert finding["scope"]["holds"] == [{"R-00": "o1", "R-01": "no"}]


@pytest.mark.parametrize(("same_for", "looks"), [(None, 65), (lambda *_: True, 2)])
def test_lanes_that_an_event_cannot_tell_apart_are_judged_once(same_for, looks):
    count = 0

    def check(event, resolved, position, hearing):
        nonlocal count
        count += event.seq == 7
        if event.seq == 7 and hearing.ask("R-00") == "no":
            yield Fault("X-1", "illegal", "Wrong.", rests_on=())

    game, events = lanes_galore(6)
    game = replace(with_check(game, check), same_for=same_for)
    (finding,) = audited(replace(game, resolve=lambda *_: None, adopt=adopt_apart), events)["findings"]
    assert finding["scope"] == {
        "kind": "only_under", "holds": [{"R-00": "no"}], "clears": [{"R-00": "o1"}], "partial": False
    }  # fmt: skip
    assert count <= looks


def adopt_apart(event, resolved, position, hearing):
    if event.seq <= 6:
        position.values[event.register] = hearing.ask(f"R-{event.register:02}") == "no"


def test_assignments_that_cover_all_options_are_joined():
    domains = {"P": ("a", "b"), "Q": ("c", "d", "e")}
    cubes = [{"P": p, "Q": q} for p in "ab" for q in "cde"]
    assert simplified(cubes, domains) == [{}]
    assert simplified(cubes[:-1], domains) in (
        [{"P": "b", "Q": "c"}, {"P": "b", "Q": "d"}, {"P": "a"}],
        [{"P": "b", "Q": "e"}, {"Q": "c"}, {"Q": "d"}],
        [{"P": "a", "Q": "e"}, {"Q": "c"}, {"Q": "d"}],
    )
    assert covers(cubes, domains, domains) and not covers(cubes[:-1], domains, domains)
    assert covers(cubes[:3], {"Q"}, domains)


def test_a_bare_map_is_read_as_readings():
    assert ruled(MACHINE, {"R-A": "a2"}).readings == {"R-A": "a2", "R-B": "b1", "R-C": "c1"}
    assert ruled(MACHINE, {"name": "Cup", "readings": {"R-A": "open"}}).selected["R-A"] == "a1"


@pytest.mark.parametrize(
    ("given", "problems"),
    [
        ({"R-AA": "a1"}, ['there is no reading "R-AA"; the nearest is "R-A"']),
        ({"R-A": "a3"}, ['R-A has no option "a3"; it has a1, a2, or open']),
        ({"R-A": ["a1"]}, ["R-A has no option \"['a1']\"; it has a1, a2, or open"]),
        (
            {"name": "Cup", "reading": {}},
            ['"reading" is not part of a rulings set; it has game, name, readings, settings'],
        ),
        ({"name": 5}, ['"name" is a text']),
        ({"not_audited": {"MAC-LIMITS": "no"}}, ['there is no rule "MAC-LIMITS"; the nearest is "MAC-LIMIT"']),
        ({"settings": {"tolerence": 1}}, ['there is no setting "tolerence"; the nearest is "tolerance"']),
        ({"settings": {"tolerance": 0.5}}, ["the setting tolerance is an integer or an exact number as text"]),
        ({"settings": {"tolerance": "1/0", "rounds": "1/2"}}, ["the setting tolerance is", "the setting rounds is an"]),
        (["R-A"], ["a rulings set is an object, not list"]),
        ({"readings": {"R-A": "x", "R-B": "y"}}, ["R-A has no option", "R-B has no option"]),
    ],
)
def test_rulings_that_name_what_does_not_exist_are_refused_with_everything_wrong(given, problems):
    with pytest.raises(BadRulings) as refused:
        rulings(given, MACHINE.readings, [rule.id for rule in MACHINE.rules], settings=SETTINGS)
    assert len(refused.value.problems) == len(problems)
    for said, problem in zip(refused.value.problems, problems, strict=True):
        assert said.startswith(problem)


def test_settings_are_complete_whatever_is_given():
    said = rulings({"settings": {"tolerance": "1/4"}}, MACHINE.readings, settings=SETTINGS)
    assert said.settings == {"tolerance": "1/4", "rounds": "6"}
    assert rulings(None, MACHINE.readings, settings=SETTINGS).settings == {"tolerance": "0", "rounds": "6"}


@pytest.mark.parametrize("open_lanes", [False, True])
def test_an_adopt_that_changes_before_it_asks_is_caught(open_lanes):
    def adopt(event, resolved, position, hearing):
        if event.seq == 1:
            position.values[1] = hearing.ask("R-B") != "b1"
        else:
            position.values[0] += 1
            hearing.ask("R-A")

    events = [Act(1, 0, ("is", 0)), Act(2, 0, ("is", 0))]
    with pytest.raises(ChangedBeforeAsked, match="R-A"):
        audited(replace(MACHINE, adopt=adopt), events if open_lanes else events[1:])


def test_a_rule_that_a_tournament_does_not_audit_is_silent_and_listed_once():
    act = numbered(Act(0, 0, ("is", 1), claimed=0))
    value = audited(MACHINE, act, {"not_audited": {"MAC-RESULT": "our own table"}})
    assert value["findings"] == []
    assert value["coverage"]["rules_not_auditable"] == [{"rule": "MAC-RESULT", "why": "our own table"}]
    assert value["coverage"]["rules_run"] == [{"rule": "MAC-LIMIT", "times": 1}]
    assert value["coverage"]["rules_idle"] == []


def test_evidence_is_asked_for_once_and_only_where_it_is_shown():
    shown = []

    def check(event, resolved, position, hearing):
        option = hearing.ask("R-B")
        return [Fault("X-1", "illegal", "Wrong.", rests_on=(), evidence=lambda: shown.append(option) or {})]

    audited(with_check(MACHINE, check), numbered(Act(0, 0, ("is", 0))), {"R-B": "b2"})
    assert shown == ["b2"]


def test_readings_are_counted_once_for_each_event_that_asks_them():
    program = ("ask", "R-A", {"a1": ("is", 0), "a2": ask("R-B", b1=0, b2=1, b3=1)})
    record = a_record(MACHINE, numbered(Act(0, 0, program), Act(0, 0, program, claimed=0), Act(0, 0, ("is", 0))))
    outcome = Replay(MACHINE, record, ruled(MACHINE), strict=True).run()
    assert outcome.asked == {"R-A": 2, "R-B": 2}


def test_a_fault_is_shown_as_it_is_under_an_open_option_before_one_that_nobody_chose():
    values = {("a2", "b1"): 1, ("a1", "b2"): 2}

    def check(event, resolved, position, hearing):
        b, a = hearing.ask("R-B"), hearing.ask("R-A")
        if (a, b) in values:
            yield Fault("X-1", "illegal", "Wrong.", recomputed=values[a, b], rests_on=())

    value = audited(with_check(MACHINE, check), numbered(Act(0, 0, ("is", 0))), {"R-A": "open"})
    (finding,) = value["findings"]
    assert (finding["kind"], finding["recomputed"]) == ("ambiguous", 1)
    assert finding["under"] == [{"readings": {"R-A": "a1", "R-B": "b2"}, "kind": "illegal", "recomputed": 2}]


def test_what_a_fault_changed_is_told_as_play_goes_on_under_its_reading():
    act = Act(0, 0, ask("R-A", a1=1, a2=2), limit=ask("R-A", a1=0, a2=1))
    (finding,) = audited(MACHINE, numbered(act), everything=True)["findings"]
    assert finding["scope"]["holds"] == [{"R-A": "a2"}]
    assert finding["evidence"]["after"]["values"] == [2, 0, 0]
    assert finding["effect"]["changed"] == []


def test_the_board_is_that_of_the_rulings_in_force_where_a_lane_parts_again():
    answers = {"b1": ask("R-A", a1=0, a2=0), "b2": ask("R-A", a1=0, a2=1), "b3": ("is", 1)}
    part = Act(0, 0, ("ask", "R-B", answers))
    again = Act(0, 0, ask("R-B", b1=2, b2=1, b3=1), limit=("is", 1))
    (finding,) = audited(MACHINE, numbered(part, again))["findings"]
    assert finding["scope"] == {"kind": "every_reading"}
    assert finding["evidence"]["before"]["values"] == [0, 0, 0]
    assert finding["evidence"]["after"]["values"] == [2, 0, 0]


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\u200f", "\u061c"])
def test_a_name_and_a_reason_that_could_read_as_another_are_refused(sign: str) -> None:
    for given in ({"name": f"a{sign}b"}, {"not_audited": {"X-1": f"a{sign}b"}}):
        with pytest.raises(BadRulings, match="turn the direction"):
            rulings(given, (), ["X-1"])
    assert rulings({"name": "أحمد", "not_audited": {"X-1": "שלום"}}, (), ["X-1"]).name == "أحمد"
