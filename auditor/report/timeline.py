"""The strip of a game: its rounds from left to right and where on it the findings lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from auditor.report.words import ICONS, plural

_LONG = 1160.0
_LANES = 8


@dataclass(frozen=True)
class Flag:
    """A finding on the strip."""

    seq: int
    kind: str
    said: str
    href: str | None
    root: int | None = None  # the event that it follows from, where it follows from one


def rounds_of(frames: Sequence[Mapping[str, Any]]) -> list[tuple[str, int, int]]:
    """The rounds of a game in order: name, first and last place among the frames. Before round 1 it is 'Set-up'."""
    out: list[tuple[str, int, int]] = []
    for i, frame in enumerate(frames):
        number = frame.get("round")
        name = "Set-up" if not number or frame.get("phase") == "setup" else f"Round {number}"
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
        at = x(places[flag.seq])
        lane = next((n for n in range(_LANES) if at - ends[n] >= 18), _LANES - 1)
        ends[lane] = at
        lanes.append((flag, at, lane))
    top = 8 + 19 * max((lane for _, _, lane in lanes), default=0)
    base = top + 24
    out = []
    for name, first, last in rounds_of(frames):
        left, right = x(first - 0.5) + 1, x(last + 0.5) - 1
        out.append(
            f'<rect class="tl-round" x="{left:.1f}" y="{base}" width="{max(right - left, 1):.1f}" height="7" rx="2"/>'
        )
        if right - left > 38:
            out.append(f'<text class="tl-label" x="{left + 1:.1f}" y="{base + 21}">{escape(name)}</text>')
    if now in places:
        out.append(f'<path class="tl-now" d="M{x(places[now]):.1f} {base - 4}v15"/>')
    for flag, at, lane in lanes:
        y = top - 19 * lane
        if flag.root in places and flag.root != flag.seq:
            start = x(places[flag.root])
            out.append(f'<path class="tie" d="M{start:.1f} {base - 1}v-3H{at:.1f}v3"/>')
        icon = ICONS.get(flag.kind, "amb")
        said = escape(f"Event {flag.seq}, {flag.kind}: {flag.said}")
        sign = (
            f'<rect class="tl-hit" x="{at - 10:.1f}" y="{y - 2}" width="20" height="20" rx="4"/>'
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
