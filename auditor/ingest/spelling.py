"""Names as people write them: read as the known name that they can only mean, before anything is judged.

Between decoding and the replay every value that is declared as a name is held against what the header, the packs and
the rules know (`systems.names`). Case, blanks, separators, composed letters and leading zeros do not matter where
exactly one name fits; said once per kind. What fits none is an error of the record: the value counts as not stated,
and what it may have been is open. This module knows no game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import UNSET

from auditor.core import bounds
from auditor.core.fields import Declared, Leaf, Of, declared, leaves, place, replaced, value_at
from auditor.core.nearest import nearest_id
from auditor.core.record import InputError, Unread
from auditor.systems.names import Known, Names
from auditor.systems.shapes import shown
from auditor.systems.spelling import folded

SHOWN = 3
"""Spellings of each kind that are said."""
_HELD_IN: Mapping[Of, Of] = {"faces": "face"}
_INERT = frozenset({"number", "flag", "text", "hex", "edge", "point", "event", "die", "ability", "anything"})


class Spelling:
    """Reads the names of a record. `errors` are those that fit nothing known; `unsure` the events in which one was a
    fact (index -> why), `doubtful` those whose position hangs on it; `remarks` how names were read, a sentence a kind."""

    def __init__(self, names: Names) -> None:
        self.names = {of: known for of, known in names.items() if known.names}
        if "face" in self.names:
            self.names["faces"] = self.names["face"]
        self.errors: list[InputError] = []
        self.unsure: dict[int, str] = {}
        self.doubtful: dict[int, str] = {}
        self._near: dict[tuple[Of, Any], str | None] = {}
        self._looked_at = 0
        self._read: dict[Of, Counter[tuple[str, str]]] = {}
        self._plans: dict[type, tuple[tuple[str, Declared, frozenset[Any]], ...]] = {}
        letters = "".join(sorted(str(name) for name in self.names["face"].names)) if "face" in self.names else ""
        self._letters = frozenset(letters)

    def words(self, read: Counter[tuple[str, str]]) -> None:
        """Say also of the words that fields may take how they were read."""
        if read:
            self._read["choice"] = read

    def look_at_header(self, line: int | None) -> None:
        """List the names that the header gives to two things."""
        for known in self.names.values():
            if known.shared:
                names = sorted(map(str, known.shared))
                found = ", ".join(map(shown, names[:SHOWN])) + (
                    f" and {len(names) - SHOWN} more" * (len(names) > SHOWN)
                )
                line = line if known.where else None
                self.errors.append(InputError(line, known.where, found, "names that only one thing bears"))

    def read(self, events: list[Any], lines: list[int], places: Iterable[int] | None = None) -> list[int]:
        """Write the names of events as they are known, in place of the events, and give back the places of those of which
        they are not written so. `places`: of the only ones that may be among these."""
        strange: list[int] = []
        for index, event in enumerate(events) if places is None else ((at, events[at]) for at in places):
            if self._is_strange(event):
                strange.append(index)
                if self._looked_at < bounds.MOST_RESPELLED:
                    events[index] = self._reread(event, index, lines[index])
                else:
                    events[index] = self._unread(event, lines[index])
        return strange

    @property
    def remarks(self) -> tuple[str, ...]:
        return tuple(self._remarks())

    def _remarks(self) -> Iterator[str]:
        for of, counted in self._read.items():
            said = [f'"{written}" as "{name}"' for (written, name), _ in counted.most_common(SHOWN)]
            more = f" and {len(counted) - SHOWN} more" if len(counted) > SHOWN else ""
            what = {"face": "Faces of dice", "faces": "Faces of dice", "choice": "Words"}.get(of, f"Names ({of})")
            yield f"{what} are written otherwise than they are known, and were read as what they fit: {', '.join(said)}{more}."

    # -- a quick look, which nearly all events pass --------------------------------------------------------------

    def _plan(self, kind: type) -> tuple[tuple[str, Declared, frozenset[Any]], ...]:
        plan = self._plans.get(kind)
        if plan is None:
            plan = self._plans[kind] = tuple(
                (name, what, self._known(what.of))
                for name, what in declared(kind).items()
                if what.of not in _INERT or what.of in self.names or what.keys is not None or what.number
            )
        return plan

    def _known(self, of: Of) -> frozenset[Any]:
        return self.names[of].names - self.names[of].shared if of in self.names else frozenset()

    def _is_strange(self, event: Any) -> bool:
        """Whether an event may hold a name that is not written as it is known."""
        for name, what, known in self._plan(type(event)):
            value = getattr(event, name)
            if value is None or (value.__class__ in _HASHABLE and value in known):
                continue
            if self._may_be_strange(value, what, known):
                return True
        return False

    def _may_be_strange(self, value: Any, what: Declared, known: frozenset[Any]) -> bool:
        kind = value.__class__
        if kind is str:
            if what.of == "faces":
                return not self._letters.issuperset(value)
            return what.of in self.names and value not in known
        if kind is int:
            return what.of in self.names and what.of != "faces" and not what.number and value not in known
        if kind is list or kind is tuple:
            if what.each:
                return any(self._is_strange_pair(item, what) for item in value)
            if what.of == "faces":
                return not all(isinstance(item, str) and item in self._letters for item in value)
            return any(item is not None and self._may_be_strange(item, what, known) for item in value)
        if kind is dict:
            if what.keys is not None and what.keys in self.names:
                keys = self._known(what.keys)
                if any(key not in keys for key in value):
                    return True
            return any(item is not None and self._may_be_strange(item, what, known) for item in value.values())
        return kind not in _PLAIN and self._is_strange(value)

    def _is_strange_pair(self, pair: Any, what: Declared) -> bool:
        if pair.__class__ is not tuple:
            return False
        return any(of in self.names and item not in self._known(of) for of, item in zip(what.each, pair, strict=False))

    # -- one event, value by value ---------------------------------------------------------------------------------

    def _unread(self, event: Any, line: int) -> Unread:
        """What an event is in a record that has more names that are not written as they are known than are looked at."""
        found, expected = "a name that is not written as it is known", f"{bounds.MOST_RESPELLED:,} of these in one log"
        self.errors.append(InputError(line, "", found, f"at most {expected}"))
        return Unread(event.seq, line, f"line {line} is not read: it has {found}, after {expected}")

    def _reread(self, event: Any, index: int, line: int) -> Any:
        made = event
        lost: list[Leaf] = []
        for leaf in leaves(event):
            known = self.names.get(leaf.of)
            if known is None or isinstance(leaf.value, bool):
                continue
            if leaf.of == "faces":
                now = self._faces(leaf.value, known)
            elif leaf.value in known.shared:
                lost.append(leaf)
                continue
            elif (
                leaf.value in known.names
                or not isinstance(leaf.value, (str, int))
                or any(leaf.value in self._known(of) for of in leaf.declared.also)
            ):
                continue
            else:
                self._looked_at += 1
                now = known.meant(leaf.value) if isinstance(leaf.value, str) else None
            if now == leaf.value:
                continue
            if now is not None:
                self._read.setdefault(leaf.of, Counter())[shown_as(leaf.value), shown_as(now)] += 1
                made = _put(made, leaf, now)
            elif known.whole:
                lost.append(leaf)
        for leaf in reversed(lost):  # so that places in lists stay what they were
            known, said = self.names[leaf.of], shown(leaf.value)
            if not isinstance(leaf.value, list) and leaf.value in known.shared:
                why = f"line {line} names {said[:80]}, which two things bear"
            else:
                self.errors.append(
                    InputError(line, place(event, leaf.path), said, known.words, self._nearest(leaf.of, leaf.value))
                )
                why = f"line {line} has {said[:80]}, which is not {known.words}"
            made = unstated(made, leaf)
            if leaf.declared.role == "fact":
                self.unsure.setdefault(index, why)
                # Without a field that has to be stated the game knows what is open; the absence of another says "none",
                # and a list without an entry says that there was none.
                if leaf.declared.needed is not True or not _is_left_out(made, leaf):
                    self.doubtful.setdefault(index, why)
        return made

    def _nearest(self, of: Of, written: object) -> str | None:
        """The known name that is nearest to one that fits none; of so many names, because that is slow to find."""
        if isinstance(written, list):
            return None
        key = of, written
        if key not in self._near and len(self._near) < bounds.MOST_NEAREST:
            self._near[key] = nearest_id(written, [name for name in self.names[of].names if isinstance(name, str)])
        return self._near.get(key)

    def _faces(self, value: Any, known: Known) -> Any:
        """Faces as they are known; None where one of them is none that the die has."""
        if isinstance(value, int):
            return value
        if isinstance(value, str):
            if not value.strip():
                return ""
            bare = "".join(folded(sign) for sign in value if not sign.isspace() and sign not in ",;|/_-")
            spelled = [known.meant(sign) for sign in bare] if bare else []
            if spelled and None not in spelled:
                return "".join(str(face) for face in spelled)
            value = [word for word in _words(value) if word]
            read = [known.meant(word) for word in value]
            return "".join(str(face) for face in read) if read and None not in read else None
        read = [known.meant(item) if isinstance(item, str) else None for item in value]
        return read if None not in read else None


_HASHABLE = frozenset({str, int})
_PLAIN = frozenset({str, int, float, bool})


def _words(text: str) -> list[str]:
    for sign in ",;|/":
        text = text.replace(sign, " ")
    return text.split()


def shown_as(value: Any) -> str:
    return value[:40] if isinstance(value, str) else shown(value)[:40]


def _put(event: Any, leaf: Leaf, value: Any) -> Any:
    """The event with a name replaced. A key that is written in two ways in one map stays as it stands."""
    if leaf.key and value in value_at(event, leaf.path[:-1]):
        return event
    try:
        return replaced(event, leaf, value)
    except (KeyError, IndexError, AttributeError):  # what held it was replaced or left out meanwhile
        return event


def _is_left_out(event: Any, leaf: Leaf) -> bool:
    """Whether the whole field in which a value stood is left out now."""
    path = leaf.path
    while isinstance(path[-1], int):
        path = path[:-1]
    try:
        return value_at(event, path) is None
    except (KeyError, IndexError, AttributeError):
        return False


def unstated(event: Any, leaf: Leaf) -> Any:
    """The event as if the field that holds a value were not there; of names in a list or a map, as if the entry were
    not. Of dice that count together all count as not stated, and so does a whole list that is claimed: without the entry it
    would claim something else."""
    path = leaf.path
    as_one = leaf.of in ("face", "faces") or leaf.declared.role == "claim"
    try:
        while path:
            holder = value_at(event, path[:-1])
            if isinstance(holder, dict):
                kept: Any = {key: item for key, item in holder.items() if key != path[-1]}
                return replaced(event, leaf._replace(path=path[:-1], key=False), kept)
            if isinstance(holder, list) and not as_one:
                kept = [*holder[: int(path[-1])], *holder[int(path[-1]) + 1 :]]
                return replaced(event, leaf._replace(path=path[:-1], key=False), kept)
            if not isinstance(holder, (list, tuple)):
                # Where null says something ("nobody"), not stated is another mark.
                return replaced(event, leaf._replace(path=path, key=False), UNSET if leaf.declared.null else None)
            path = path[:-1]
    except (KeyError, IndexError, AttributeError):
        pass
    return event


__all__ = ["Spelling", "folded", "unstated"]
