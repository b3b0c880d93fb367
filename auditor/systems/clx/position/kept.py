"""What was worked out once and is kept: the one way of this room to keep an answer."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from auditor.core.rulings import Hearing

MOST_KEPT = 50_000
"""Questions whose answers are kept at most in one place: beyond that all are worked out again."""

Answer = TypeVar("Answer")
_Answered = tuple[tuple[object, ...], dict[Any, Hashable], Any]
"""What an answer is of, the options of readings under which it holds, and the answer."""


class Kept(dict[Hashable, list[_Answered]]):
    """Answers, each worked out once and given back as long as it holds. A position has two of these:

    now   Of the position as it is. Whoever changes it empties this, before and after (`adopt`, `undone`, `retold`); a copy
          of a position, and a twin that tells what is asked of it, begin with an empty one.
    ever  Of all positions of a game, whose copies share it. Nothing in it goes wrong: an answer may hang on its question,
          on values that never change and on the pack, and on nothing else of a position.
    """

    __slots__ = ()

    def once(
        self,
        question: Hashable,
        work_out: Callable[[], Answer],
        of: tuple[object, ...] = (),
        hearing: Hearing | None = None,
    ) -> Answer:
        """What `work_out` gives back, worked out when it is asked for the first time, and counted as work then alone.

        question  names, with `of`, all that the answer hangs on, beside the position (in `now`) and the pack
        of        values that never change: an event, a place, a path. Each stands for itself and not for what equals it, so
                  that none is hashed; they are held on to, so that no other value has the id of one
        hearing   whom `work_out` asks readings, one by one; without it none may be asked. The answer is kept under the
                  options of those that it asked, and whoever is given it has asked them as well
        """
        key = (question, *map(id, of)) if of else question
        answers = self.get(key)
        if answers is None:
            if len(self) >= MOST_KEPT:
                self.clear()
            answers = self[key] = []
        for _, under, answer in answers:
            if not under:
                return answer  # type: ignore[no-any-return]
            if hearing is not None and all(hearing.options[one] == option for one, option in under.items()):
                for reading in under:
                    hearing.ask(reading)
                return answer  # type: ignore[no-any-return]
        if hearing is None:
            answer = work_out()
            answers.append((of, {}, answer))
            return answer
        steps, hearing.steps = hearing.steps, {}
        try:
            answer = work_out()
        finally:
            under, hearing.steps = hearing.steps, steps
            steps.update(under)
        answers.append((of, under, answer))
        return answer
