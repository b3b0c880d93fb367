"""The strip of a game: its parts from left to right and where on it the findings lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from auditor.report.words import ICONS, plural

_LONG = 1160.0
_LANES = 8
_MOST_SIGNS = 400
"""Beyond so many findings those are left out whose sign would cover another's."""
_MOST_PARTS = 200
_LETTER = 6.0
"""As wide as a letter below the strip is, more or less."""
_SIGN = 24
"""The side of a sign's ground: as small as a finger or an unsteady hand can hit."""


@dataclass(frozen=True)
class Flag:
    """A finding on the strip."""

    seq: int
    kind: str
    said: str
    href: str | None
    root: int | None = None  # the event that it follows from, where it follows from one


def moment_of(frame: Mapping[str, Any]) -> Mapping[str, Any]:
    """When the event of a frame is, as its game says it: {"part", "short", "text"} (`Ruleset.moment`)."""
    moment: Mapping[str, Any] | None = frame.get("moment")
    if moment is None and "round" in frame:
        # Frames that were kept before games said this themselves.
        number, phase = frame["round"], frame.get("phase")
        part = f"Round {number}" if number and phase != "setup" else "Set-up"
        return {"part": part, "short": f"R{number}" if number else "", "text": part}
    return moment or {}


def parts_of(frames: Sequence[Mapping[str, Any]]) -> list[tuple[str, int, int]]:
    """The parts of a game in order: name, first and last place among the frames.

    An event that does not say when it is belongs to the part before it, those at the start to the first part.
    """
    names = [str(moment_of(frame).get("part") or "") for frame in frames]
    name = next(filter(None, names), "The game")
    out: list[tuple[str, int, int]] = []
    for i, said in enumerate(names):
        name = said or name
        if out and out[-1][0] == name:
            out[-1] = (name, out[-1][1], i)
        else:
            out.append((name, i, i))
    return out


def timeline(frames: Sequence[Mapping[str, Any]], flags: Sequence[Flag], *, now: int | None = None) -> Markup:
    """The strip as SVG; empty where there are no frames.

    `now` is the event that is being looked at. Signs that would overlap stand in lanes above each other. The links are
    not stops of the tab key: the list of findings has the same ones.
    """
    if not frames:
        return Markup("")
    places = {frame["seq"]: i for i, frame in enumerate(frames)}

    def x(i: float) -> float:
        return 1 + (i + 0.5) / len(frames) * (_LONG - 2)

    known = sorted((f for f in flags if f.seq in places), key=lambda f: places[f.seq])
    ends = [-100.0] * _LANES
    lanes: list[tuple[Flag, float, int]] = []
    for flag in known:
        # A sign of the first or the last event would stick out of the drawing.
        at = min(max(x(places[flag.seq]), _SIGN / 2), _LONG - _SIGN / 2)
        lane = next((n for n in range(_LANES) if at - ends[n] >= _SIGN), _LANES - 1)
        if len(known) > _MOST_SIGNS and at - ends[lane] < _SIGN:
            continue  # it would lie under another, and there are hundreds
        ends[lane] = at
        lanes.append((flag, at, lane))
    top = 8 + _SIGN * max((lane for _, _, lane in lanes), default=0)
    base = top + 24
    out = []
    parts = parts_of(frames)
    for name, first, last in parts[:: 1 + len(parts) // _MOST_PARTS]:
        left, right = x(first - 0.5) + 1, x(last + 0.5) - 1
        out.append(
            f'<rect class="tl-round" x="{left:.1f}" y="{base}" width="{max(right - left, 1):.1f}" height="7" rx="2">'
            f"<title>{escape(name)}</title></rect>"
        )
        if right - left > max(38, _LETTER * len(name)):
            out.append(f'<text class="tl-label" x="{left + 1:.1f}" y="{base + 21}">{escape(name)}</text>')
    if now in places:
        out.append(f'<path class="tl-now" d="M{x(places[now]):.1f} {base - 4}v15"/>')
    for flag, at, lane in lanes:
        y = top - _SIGN * lane
        if flag.root in places and flag.root != flag.seq:
            start = x(places[flag.root])
            out.append(f'<path class="tie" d="M{start:.1f} {base - 1}v-3H{at:.1f}v3"/>')
        icon = ICONS.get(flag.kind, "amb")
        said = escape(f"Event {flag.seq}, {flag.kind}: {flag.said}")
        sign = (
            f'<rect class="tl-hit" x="{at - _SIGN / 2:.1f}" y="{y - 4}" width="{_SIGN}" height="{_SIGN}" rx="4"/>'
            f'<svg class="k {icon}" x="{at - 8:.1f}" y="{y}" width="16" height="16" viewBox="0 0 16 16">'
            f'<use href="#k-{icon}"/></svg>'
        )
        if flag.href:
            out.append(
                f'<a href="{escape(flag.href)}" tabindex="-1" aria-label="{said}"><title>{said}</title>{sign}</a>'
            )
        else:
            out.append(f"<g><title>{said}</title>{sign}</g>")
    whole = f"The game in {plural(len(frames), 'event')}; {plural(len(known), 'finding')} marked"
    return Markup(
        f'<svg class="tl" viewBox="0 0 1160 {base + 26}" role="group" aria-label="{whole}">{"".join(out)}</svg>'
    )
