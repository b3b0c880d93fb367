"""Random changes of an example, as JSON patches (RFC 6902), with what stands in the other examples of its game."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from tests.sought import Log, Patch

Place = tuple[str | int, ...]
Form = tuple[str, ...]
"""A place with its numbers left out: `[]` for each."""
EVENT, HEADER, EACH = "event", "header", "[]"
KEPT_OF_EVENTS = ("seq", "type", "removed")
KEPT_OF_HEADERS = ("type", "game", "format")


class Donors:
    """What stands in the examples of a game.

    events  type -> the events of it
    values  form -> each value that stands there once
    keys    form of an object -> the keys that some have
    ids     what the headers name by an id
    """

    def __init__(self, logs: Sequence[Log]) -> None:
        self.events: dict[str, list[Any]] = defaultdict(list)
        self.values: dict[Form, dict[str, Any]] = defaultdict(dict)
        self.keys: dict[Form, dict[str, None]] = defaultdict(dict)
        self.ids = {one for log in logs for one in ids_of(log)}
        for log in logs:
            self._take(log["header"], (HEADER,))
            for event in log["events"]:
                self.events[event["type"]].append(event)
                self._take(event, (EVENT, event["type"]))

    def _take(self, value: Any, form: Form) -> None:
        items = value.items() if isinstance(value, dict) else [(EACH, one) for one in value] if _is_list(value) else ()
        for key, part in items:
            if key != EACH:
                self.keys[form].setdefault(key)
            self.values[(*form, key)].setdefault(json.dumps(part), part)
            self._take(part, (*form, key))


class Changes:
    """Changes of a log, at random; readings: of each reading its options."""

    def __init__(self, donors: Donors, readings: Mapping[str, Sequence[str]], rng: Random) -> None:
        self.donors, self.readings, self.rng = donors, readings, rng

    def one(self, log: Log) -> Patch:
        """A change of a few operations; none where nothing came of it."""
        kinds = (self._value, self._more, self._header, self._reading, self._line, self._event)
        return self.rng.choices(kinds, (40, 14, 14, 4, 12, 16))[0](log)

    def _value(self, log: Log) -> Patch:
        """A value of an event is another, or left out."""
        at = self._number_of_event(log)
        if at is None:
            return []
        event = log["events"][at]
        place = self._place(event, KEPT_OF_EVENTS)
        return self._changed(log, (EVENT, event["type"]), ("events", at), place, event)

    def _more(self, log: Log) -> Patch:
        """An event says more."""
        at = self._number_of_event(log)
        if at is None:
            return []
        event = log["events"][at]
        return self._added(log, event, ("events", at), (EVENT, event["type"]))

    def _header(self, log: Log) -> Patch:
        """The header says more, less or something else: of the players, the cards, the units, the table."""
        if self.rng.random() < 0.25:
            return self._added(log, log["header"], (HEADER,), (HEADER,))
        place = self._place(log["header"], KEPT_OF_HEADERS)
        return self._changed(log, (HEADER,), (HEADER,), place, log["header"])

    def _reading(self, log: Log) -> Patch:
        """A reading is answered otherwise, or left open."""
        reading = self.rng.choice(list(self.readings))
        option = self.rng.choice([*self.readings[reading], "open"])
        rulings = log["header"].get("rulings")
        answers = {**rulings, "readings": {**rulings.get("readings", {}), reading: option}} if rulings else None
        value = answers or {"readings": {reading: option}}
        return [{"op": "add", "path": "/header/rulings", "value": value}]

    def _line(self, log: Log) -> Patch:
        """A line is left out, stands twice or elsewhere, or the log ends there."""
        many = len(log["events"])
        if many < 2:
            return []
        at, to = self.rng.randrange(many), self.rng.randrange(many)
        left_out: Patch = [{"op": "remove", "path": f"/events/{at}"}]
        twice: Patch = [{"op": "add", "path": f"/events/{to}", "value": log["events"][at]}]
        elsewhere: Patch = [{"op": "move", "from": f"/events/{at}", "path": f"/events/{to}"}]
        ends: Patch = [{"op": "remove", "path": f"/events/{n}"} for n in range(many - 1, max(at, many - 4), -1)]
        return self.rng.choice((left_out, twice, elsewhere, ends))

    def _event(self, log: Log) -> Patch:
        """An event of another example comes in between, or after the last."""
        types = list(self.donors.events)
        if self.rng.random() < 0.6:
            types = sorted({event["type"] for event in log["events"]}) or types
        event = self._fitting(log, self.rng.choice(self.donors.events[self.rng.choice(types)]))
        many = len(log["events"])
        at = many if self.rng.random() < 0.6 else self.rng.randrange(many + 1)
        return [{"op": "add", "path": f"/events/{at}", "value": event}]

    def _number_of_event(self, log: Log) -> int | None:
        """The number of an event; the types are as likely."""
        numbers: dict[str, list[int]] = defaultdict(list)
        for number, event in enumerate(log["events"]):
            numbers[event["type"]].append(number)
        return self.rng.choice(self.rng.choice(list(numbers.values()))) if numbers else None

    def _place(self, holder: Any, kept: Sequence[str]) -> Place | None:
        """A place within a value; the forms are as likely."""
        forms: dict[Form, list[Place]] = defaultdict(list)
        for place, _ in places(holder):
            if place[0] not in kept:
                forms[form_of(place)].append(place)
        return self.rng.choice(self.rng.choice(list(forms.values()))) if forms else None

    def _changed(self, log: Log, form: Form, base: Place, place: Place | None, holder: Any) -> Patch:
        if place is None:
            return []
        pointer = pointer_to((*base, *place))
        chance = self.rng.random()
        if chance < 0.15:
            return [{"op": "remove", "path": pointer}]
        old = holder
        for part in place:
            old = old[part]
        new = None if chance < 0.18 else self._other(log, old, (*form, *form_of(place)))
        same = new == old and type(new) is type(old)
        return [] if same else [{"op": "replace", "path": pointer, "value": new}]

    def _other(self, log: Log, old: Any, form: Form) -> Any:
        rng = self.rng
        if isinstance(old, bool):
            return not old
        near = rng.random() < 0.6
        if isinstance(old, int) and near:
            return rng.choice((old - 2, old - 1, old + 1, old + 2, old + 3, old + 6, 0))
        if isinstance(old, float) and near:
            return round(old + rng.choice((-1, -0.01, 0.01, 0.5, 1, 3)), 4)
        if isinstance(old, list) and old and near:
            at = rng.randrange(len(old))
            return rng.choice(([*old[:at], *old[at + 1 :]], [*old, deepcopy(old[at])], old[::-1]))
        if isinstance(old, str) and near and (named := _under(log, next(part for part in form[::-1] if part != EACH))):
            return rng.choice(named)
        donated = list(self.donors.values.get(form, {}).values())
        return self._fitting(log, rng.choice(donated)) if donated else old

    def _added(self, log: Log, holder: Any, base: Place, form: Form) -> Patch:
        """A field that an object does not have and another example has there, or one more in a list."""
        open_: list[tuple[Place, str]] = []
        for place, value in [((), holder), *places(holder)]:
            inner = (*form, *form_of(place))
            if isinstance(value, dict):
                open_ += [(place, key) for key in self.donors.keys.get(inner, ()) if key not in value]
            elif _is_list(value) and (*inner, EACH) in self.donors.values:
                open_.append((place, EACH))
        if not open_:
            return []
        place, key = self.rng.choice(open_)
        value = self._fitting(log, self.rng.choice(list(self.donors.values[(*form, *form_of(place), key)].values())))
        return [{"op": "add", "path": pointer_to((*base, *place, "-" if key == EACH else key)), "value": value}]

    def _fitting(self, log: Log, value: Any) -> Any:
        """A value of another example, with ids of this one."""
        return self._renamed(value, list(ids_of(log)), {})

    def _renamed(self, value: Any, known: list[str], to: dict[str, str]) -> Any:
        if isinstance(value, dict):
            return {name: self._renamed(part, known, to) for name, part in value.items()}
        if isinstance(value, list):
            return [self._renamed(part, known, to) for part in value]
        if isinstance(value, str) and value in self.donors.ids and value not in known and known:
            return to.setdefault(value, self.rng.choice(known))
        return value


def ids_of(log: Log) -> Iterator[str]:
    """What the header of a log names by an id."""
    for _, one in places(log["header"]):
        if isinstance(one, dict) and isinstance(one.get("id"), str):
            yield one["id"]


def places(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """The places of all values within a value, itself left out, each with what stands there."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if _is_list(value) else ()
    for key, part in items:
        yield (*place, key), part
        yield from places(part, (*place, key))


def form_of(place: Place) -> Form:
    return tuple(EACH if isinstance(part, int) else part for part in place)


def pointer_to(place: Place) -> str:
    """A place as a JSON pointer (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in place)


def _under(log: Log, name: str) -> list[str]:
    """The strings that stand under a name anywhere in a log."""
    found: dict[str, None] = {}
    for place, value in places([log["header"], *log["events"]]):
        if isinstance(value, str) and next((one for one in place[::-1] if isinstance(one, str)), "") == name:
            found.setdefault(value)
    return list(found)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)
