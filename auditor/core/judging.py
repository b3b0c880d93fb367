"""Judging: one event under every reading that matters, in every lane, on the position before it.

What a check sees becomes cells: assignments of readings that do not overlap, each with the remarks made under it. What
one rule sees hangs only on what it asks itself, on what was asked when the event was resolved, and on the lane; so
each rule is followed through its own readings, and those of different rules are never combined.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from auditor.core import bounds
from auditor.core.cases import Questions
from auditor.core.findings import Fault, Remark
from auditor.core.lanes import Lane, Lanes, Spare
from auditor.core.look import Look, Looks, Terms
from auditor.core.rulings import Settled
from auditor.core.scopes import Cube, FaultKey, covers, explore, faults_of, in_force, simplified
from auditor.core.seen import Judged, Judging, Outcome
from auditor.core.work import spend


@dataclass(slots=True)
class Resolution:
    """An event as resolved in one lane, and what the checks see there.

    lane     the one whose position is judged; it stands for others where the event is judged the same there
    cubes    the assignments of the lanes, with what the resolution asked, under which it is resolved like this
    options  the one under which the checks looked
    """

    lane: Lane
    cubes: list[Cube]
    options: Cube
    resolved: Any
    looks: list[Look]


class Main(NamedTuple):
    """How an event goes on in one lane: under which assignment it is adopted, as what it was resolved, and whether it
    was resolved otherwise under another."""

    lane: Lane
    options: Cube
    resolved: Any
    differs: bool


class Judge:
    """Judges events; counts in `outcome` what was not claimed."""

    def __init__(self, terms: Terms, looks: Looks, spare: Spare, outcome: Outcome) -> None:
        self.terms = terms
        self.ruleset = terms.ruleset
        self.rulings = terms.rulings
        self.looks = looks
        self.spare = spare
        self.outcome = outcome
        self.questions = Questions(terms.rulings)
        self._unions: dict[tuple[int, ...], tuple[list[list[Cube]], list[Cube]]] = {}

    def everywhere(self, lanes: Lanes, event: Any, asked: set[str]) -> tuple[list[Resolution], list[Main], bool]:
        """The event resolved in every lane, with the first look of each check; how it goes on in each; and whether that
        is all that resolving asks. What it asks joins `asked`."""
        mains: list[Main] = []
        for lane in lanes:
            spend(self.looks.weight)
            main = next((cube for cube in lane.cubes if in_force(cube, self.rulings)), lane.cubes[0])
            hearing = self.terms.hearing(main)
            resolved = self.ruleset.resolve(event, lane.position, hearing)
            asked.update(hearing.asked)
            mains.append(Main(lane, main, resolved, False))
        if asked:
            found, mains, whole = self._resolved_again(lanes, event, asked)
        else:
            found, whole = self._pooled(event, mains), True
        for one in found:
            counted = in_force(one.options, self.rulings)
            hearing = self.terms.hearing(one.options)
            one.looks = self.looks.at(event, one.resolved, one.lane.position, hearing, counted=counted)
            if counted:
                self.outcome.silent += hearing.silent
        self.spare.left -= len(lanes) - 1
        return found, mains, whole

    def _pooled(self, event: Any, mains: list[Main]) -> list[Resolution]:
        """One resolution for all lanes in which the event is judged the same, as far as the game can tell."""
        same_for = self.ruleset.same_for
        pools: list[list[Main]] = []
        for main in mains:
            if same_for is not None:
                for pool in pools:
                    if same_for(event, pool[0].resolved, pool[0].lane.position, main.lane.position):
                        pool.append(main)
                        break
                else:
                    pools.append([main])
            else:
                pools.append([main])
        found: list[Resolution] = []
        for pool in pools:
            head = next((one for one in pool if in_force(one.options, self.rulings)), pool[0])
            cubes = head.lane.cubes if len(pool) == 1 else self._union([one.lane.cubes for one in pool])
            options = next((cube for cube in cubes if in_force(cube, self.rulings)), cubes[0])
            found.append(Resolution(head.lane, cubes, options, head.resolved, []))
        return found

    def _union(self, parts: list[list[Cube]]) -> list[Cube]:
        """The assignments of several lanes in as few cubes as are found; lanes stay the same for many events."""
        key = tuple(map(id, parts))
        known = self._unions.get(key)
        if known is None:
            domains = self.rulings.domains
            cubes = [cube for part in parts for cube in part]
            made: list[Cube] = [{}] if covers(cubes, domains.keys(), domains) else list(simplified(cubes, domains))
            if len(self._unions) > 100:
                self._unions.clear()
            known = self._unions[key] = (parts, made)  # the parts are kept, so that their ids stay theirs
        return known[1]

    def _resolved_again(self, lanes: Lanes, event: Any, asked: set[str]) -> tuple[list[Resolution], list[Main], bool]:
        """The event resolved under everything that resolving it asks."""
        found: list[Resolution] = []
        mains: list[Main] = []
        whole = True
        room = self.spare.room
        for lane in lanes:

            def resolve(overrides: dict[str, str], lane: Lane = lane) -> tuple[dict[str, str], Any]:
                spend(bounds.WORK_OF_A_JUDGING + self.looks.weight // 4)
                hearing = self.terms.hearing(overrides)
                resolved = self.ruleset.resolve(event, lane.position, hearing)
                asked.update(hearing.asked)
                return hearing.asked, resolved

            here: list[Resolution] = []
            # The assignment under which play goes on in the lane comes first.
            for cube in sorted(lane.cubes, key=lambda cube: not in_force(cube, self.rulings)):
                results, complete = explore(resolve, self.rulings.domains, cube, 1 + room)
                whole = whole and complete
                room -= len(results) - 1
                self.spare.left -= len(results) - 1
                here += [Resolution(lane, [cell], cell, resolved, []) for cell, resolved in results]
            main, *others = here
            differs = any(one.resolved is not main.resolved and one.resolved != main.resolved for one in others)
            mains.append(Main(lane, main.options, main.resolved, differs))
            found += here
        return found, mains, whole

    def by_rule(
        self, index: int, event: Any, seq: int, resolutions: list[Resolution], whole: bool, asked: set[str]
    ) -> list[Judging]:
        """What each rule sees in an event, for those that see something somewhere; the readings asked join `asked`.

        `whole` is false where there was more to resolve than could be.
        """
        by_slot: dict[int, list[Look | None]] = {}
        for n, one in enumerate(resolutions):
            for look in one.looks:
                by_slot.setdefault(look.slot, [None] * len(resolutions))[n] = look
        judgings: list[Judging] = []
        for slot in by_slot if len(resolutions) == 1 else sorted(by_slot):
            cells: list[Judged] = []
            complete = whole
            room = self.spare.room
            for one, seen in zip(resolutions, by_slot[slot], strict=True):
                if seen is None:
                    cells += [Judged(cube, one.lane, (), {}, None) for cube in one.cubes]
                elif not seen.asked:
                    remarks = self.looks.doubted(event, seen, one.resolved, one.lane.position) if seen.seen else ()
                    faults = faults_of(remarks)
                    cells += [Judged(cube, one.lane, remarks, faults, None) for cube in one.cubes]
                else:
                    more, all_there, room = self._followed(event, one, seen, room, asked)
                    complete = complete and all_there
                    cells += more
            if not complete or any(cell.remarks for cell in cells):
                judgings.append(Judging(index, event, seq, cells, complete))
        return judgings

    def _followed(
        self, event: Any, one: Resolution, look: Look, room: int, asked: set[str]
    ) -> tuple[list[Judged], bool, int]:
        """What a check sees under whatever it asks, whether that is all, and for how many cells more there is room
        then; the readings asked join `asked`."""
        tree = Tree(self.looks, self.questions, look, event, one)
        results, complete = tree.cells(one.options, 1 + room)
        room -= len(results) - 1
        apart = complete and tree.asks_none_of(one.cubes)
        cells: list[Judged] = []
        for cube in one.cubes:
            if cube is one.options:
                cells += [Judged(case, one.lane, *leaf) for case, leaf in results]
            elif apart:
                # What it asks has nothing to do with what tells the lanes apart.
                cells += [Judged({**case, **cube}, one.lane, *leaf) for case, leaf in tree.own(results)]
            else:
                more, all_there = tree.cells(cube, 1 + room)
                complete = complete and all_there
                room -= len(more) - 1
                cells += [Judged(case, one.lane, *leaf) for case, leaf in more]
        self.spare.left -= len(tree.looks) - 1
        asked |= tree.asked
        tree.let_go()
        return cells, complete, room


class Tree:
    """What one check sees on one position under whatever it asks, each case looked at once.

    What a check asks next hangs only on what was answered before, so its looks are the leaves of a tree: a question (a
    reading, or what it had settled by several), and for each answer what is asked then.
    """

    def __init__(self, looks: Looks, questions: Questions, first: Look, event: Any, resolution: Resolution) -> None:
        self.questions = questions
        self.looks: list[Look] = []
        self.asked: set[str] = set()
        self._all = looks
        self._event = event
        self._at = resolution
        self._rulings = looks.terms.rulings
        self._selected = self._rulings.selected
        self._leaves: dict[int, Any] = {}
        self._root: Any = None
        self._keep(first)

    def cells(self, fixed: Cube, most: int) -> tuple[list[tuple[Cube, Any]], bool]:
        """What the check sees under whatever it asks beyond what is fixed; at most so many cells, and whether these are
        all."""
        results = self._by_one_question(fixed, most)
        if results is not None:
            return results, True
        found, whole = explore(self.judge, self._rulings.domains, fixed, most)
        return list(found), whole

    def _by_one_question(self, fixed: Cube, most: int) -> list[tuple[Cube, Any]] | None:
        """The cells of a check that puts one question, whatever the answer, as most do; else None."""
        root = self._root
        cases = self.questions.cases(root.question)
        if cases is None or len(cases.each) > most or not cases.readings.isdisjoint(fixed):
            return None
        results: list[tuple[Cube, Any]] = []
        leaves: dict[Any, Any] = {}
        for case, answer in cases.each:
            cube = {**fixed, **case} if fixed else case
            if answer not in leaves:
                look = root.after.get(answer) or self._look_again(cube)
                if type(look) is _Fork or len(look.steps) > 1:
                    return None
                leaves[answer] = self.leaf(look)
            results.append((cube, leaves[answer]))
        self.asked |= cases.readings
        return results

    def judge(self, options: Cube) -> tuple[dict[str, str], Any]:
        """The readings asked under some options, and the remarks with the faults among them."""
        asked: dict[str, str] = {}
        selected = self._selected

        def ask(reading: str) -> str:
            option = asked[reading] = options.get(reading, selected[reading])
            return option

        node = self._root
        while type(node) is _Fork:
            question = node.question
            node = node.after.get(ask(question) if isinstance(question, str) else question(ask))
        if node is None:
            node = self._look_again(options)
            asked = node.asked
        self.asked.update(asked)
        return asked, self.leaf(node)

    def _look_again(self, options: Cube) -> Look:
        one = self._at
        look = self._all.again(self.looks[0], self._event, one.resolved, one.lane.position, options)
        self._keep(look)
        return look

    def _keep(self, look: Look) -> None:
        self.looks.append(look)
        self.asked.update(look.asked)
        node: Any = look
        for question, answer in reversed(look.steps.items()):
            node = _Fork(question, {answer: node})
        self._root = node if self._root is None else _grafted(self._root, node)

    def leaf(self, look: Look) -> Any:
        leaf = self._leaves.get(id(look))
        if leaf is None:
            remarks = self._doubted(look) if look.seen else ()
            faults = faults_of(remarks) if remarks else {}
            leaf = self._leaves[id(look)] = (remarks, faults, partial(self._faults_under, look, faults))
        return leaf

    def _faults_under(self, look: Look, faults: dict[FaultKey, Fault], options: Cube) -> dict[FaultKey, Fault]:
        """The faults of a look in the words of some options: those of others that are answered the same may differ in
        what they tell and draw."""
        selected = self._selected
        if all(options.get(reading, selected[reading]) == option for reading, option in look.asked.items()):
            return faults
        one = self._at
        again = self._all.again(look, self._event, one.resolved, one.lane.position, options)
        return faults_of(self._doubted(again))

    def _doubted(self, look: Look) -> tuple[Remark, ...]:
        return self._all.doubted(self._event, look, self._at.resolved, self._at.lane.position)

    def let_go(self) -> None:
        """Let go of the leaves, which hold on to the tree: else all of the event stays until garbage is collected."""
        self._leaves.clear()

    def asks_none_of(self, cubes: list[Cube]) -> bool:
        """Whether the check asked none of the readings that some cubes answer."""
        return self.asked.isdisjoint(reading for cube in cubes for reading in cube)

    def own(self, results: list[tuple[Cube, Any]]) -> list[tuple[Cube, Any]]:
        """Cells without the assignment of the lane that they were found under."""
        carried = self._at.options
        return [({key: option for key, option in case.items() if key not in carried}, leaf) for case, leaf in results]


class _Fork(NamedTuple):
    """A question of a check, and what comes after each answer: the next question, or what it saw."""

    question: str | Settled
    after: dict[Any, Any]


def _grafted(tree: Any, branch: Any) -> Any:
    """A tree with one more branch, from where it leaves the tree on.

    After the same answers a check puts the same question, so two that are settled stand for each other.
    """
    if type(tree) is not _Fork or type(branch) is not _Fork:
        return branch
    if tree.question != branch.question and str in (type(tree.question), type(branch.question)):
        return branch
    for answer, node in branch.after.items():
        tree.after[answer] = _grafted(tree.after[answer], node) if answer in tree.after else node
    return tree
