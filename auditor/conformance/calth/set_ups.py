"""What a line of a set-up meant that cannot be, or that contradicts another: found by trying.

For each such line every other hex, model or label that its unit or its side leaves open is put in its place, and the
whole log is judged with it. The one that leaves the fewest faults elsewhere is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from auditor.conformance.calth.bench import Disagreement
from auditor.conformance.calth.board import Hex, as_hex
from auditor.conformance.calth.facts import is_hex, is_number, is_text
from auditor.conformance.calth.position import Event, Model

Judge = Callable[[Sequence[Event]], list[Disagreement]]

OF_THE_SET_UP = ("game_start", "place", "remark", "door")


def judged_as_meant(
    events: Sequence[Event], judge: Judge, models: Mapping[str, Model], found: list[Disagreement]
) -> list[Disagreement]:
    """What is found in a log, where a line of its set-up is taken as it was meant and judged as it is written.

    `found` is what `judge` says of the events as they are written.
    """
    events = list(events)
    for number, event in enumerate(events):
        if event.get("type") not in OF_THE_SET_UP:
            break
        if event.get("type") != "place" or not _is_doubtful(event, events, found):
            continue
        here = [one for one in found if one.seq == event["seq"]]
        best, fewest = None, len(found) - len(here)
        for other in _others(event, events, models):
            tried = judge([*events[:number], other, *events[number + 1 :]])
            elsewhere = [one for one in tried if one.seq != event["seq"]]
            if len(elsewhere) < fewest:
                best, fewest = (other, elsewhere), len(elsewhere)
        if best is not None:
            events[number], elsewhere = best
            note = Disagreement(event["seq"], "CAL-AUD-06", "record", None, "all else says otherwise")
            here = [one for one in here if one.kind != "record"]
            found = sorted([*here, note, *elsewhere], key=lambda one: one.seq)
    strange = [event for event in _placings(events) if _is_under_anothers_label(event, events, models)]
    notes = [
        Disagreement(event["seq"], "CAL-AUD-06", "record", None, "the label is another unit's") for event in strange
    ]
    return sorted([*found, *notes], key=lambda one: one.seq) if notes else found


def _placings(events: Sequence[Event]) -> Iterator[Event]:
    for event in events:
        if event.get("type") not in OF_THE_SET_UP:
            return
        if event.get("type") == "place" and _is_readable(event):
            yield event


def _is_readable(event: Event) -> bool:
    return is_hex(event.get("hex")) and is_text(event.get("model")) and is_number(event.get("seq"))


def _is_under_anothers_label(event: Event, events: Sequence[Event], models: Mapping[str, Model]) -> bool:
    """Whether the label of a line is that of models in another hex too, and those in its own hex bear one of their own."""
    side_of = {model.id: model.side for model in models.values()}
    own = [one for one in _placings(events) if side_of.get(one["model"]) == side_of.get(event["model"])]
    hexes: dict[str, set[Hex]] = {}
    for one in own:
        if one.get("unit") is not None:
            hexes.setdefault(str(one["unit"]), set()).add(as_hex(one["hex"]))
    here = {label for label, where in hexes.items() if where == {as_hex(event["hex"])}}
    return event.get("unit") is not None and len(hexes[str(event["unit"])]) > 1 and len(here) == 1


def _is_doubtful(event: Event, events: Sequence[Event], found: Sequence[Disagreement]) -> bool:
    """Whether a line is at fault, or its label stands in another hex too, and something is found later."""
    if not _is_readable(event) or all(one.seq <= event["seq"] for one in found):
        return False
    label = event.get("unit")
    apart = label is not None and any(
        one.get("unit") == label and one["hex"] != event["hex"] for one in _placings(events)
    )
    return apart or any(one.seq == event["seq"] for one in found)


def _others(event: Event, events: Sequence[Event], models: Mapping[str, Model]) -> Iterator[Event]:
    """The line with another hex, model or label."""
    beside = [one for one in _placings(events) if one is not event]
    mates = [one for one in beside if one.get("unit") == event.get("unit")]
    for there in sorted({as_hex(one["hex"]) for one in mates if one["hex"] != event["hex"]}):
        yield {**event, "hex": list(there)}
    placed = {one["model"] for one in beside}
    for model in models:
        if model not in placed and model != event["model"]:
            yield {**event, "model": model}
    for label in sorted({str(one["unit"]) for one in beside if one.get("unit") and one["hex"] == event["hex"]}):
        if label != event.get("unit"):
            yield {**event, "unit": label}
