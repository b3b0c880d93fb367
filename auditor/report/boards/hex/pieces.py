"""What stands on a hex board: ground, doors, barricades and units."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import escape

from auditor.report.boards.hex import plane
from auditor.report.boards.hex.places import NO_NAMES, Names, hex_words
from auditor.report.boards.hex.plane import INNER, INNER_TOP, R, hex_path, spot
from auditor.report.boards.hex.signs import ACTING, TOKENS
from auditor.report.boards.pen import Spot, mix, num, stroke, xy
from auditor.report.words import side_class


def ground(hexes: Sequence[Sequence[Any]]) -> str:
    kinds: dict[str, list[Sequence[int]]] = {"open": [], "blocked": [], "rubble": []}
    for q, r, kind, *_ in hexes:
        kinds.setdefault(kind if kind in kinds else "open", []).append((q, r))
    return (
        hex_path("hex", kinds["open"])
        + hex_path("hex", kinds["rubble"])
        + hex_path("grit", kinds["rubble"], INNER, INNER_TOP, ' fill="url(#p-rubble)"')
        + hex_path("hex blocked", kinds["blocked"])
        + hex_path("hatch", kinds["blocked"], INNER, INNER_TOP, ' fill="url(#p-blocked)"')
    )


def coordinates(hexes: Sequence[Sequence[Any]]) -> str:
    out = []
    for q, r, kind, *name in hexes:
        x, y = spot((q, r))
        dark = ' class="onb"' if kind == "blocked" else ""
        out.append(f"<text{dark} {xy((x, y - 21))}>{escape(str(name[0])) if name else hex_words((q, r))}</text>")
    return f'<g class="coord">{"".join(out)}</g>'


def rim(hexes: Sequence[Sequence[Any]]) -> str:
    """The coordinates of the board at its rim: r left of each row, q below the lower end of each slanting column."""
    rows: dict[int, int] = {}
    columns: dict[int, int] = {}
    for q, r, *_ in hexes:
        rows[r], columns[q] = min(q, rows.get(r, q)), max(r, columns.get(q, r))
    out = []
    for r, q in rows.items():
        x, y = spot((q, r))
        out.append(f'<text class="row" {xy((x - plane.WIDE / 2 - 6, y + 7))}>{r}</text>')
    for q, r in columns.items():
        x, y = spot((q, r))
        out.append(f"<text {xy((x + plane.WIDE / 4, y + R + 14))}>{q}</text>")
    return f'<g class="rim">{"".join(out)}</g>' if out else ""


def edges(edges: Sequence[Mapping[str, Any]]) -> str:
    out = []
    for item in edges:
        a, b = item["edge"]
        ends = plane.hexside(a, b)
        if ends is None:
            continue
        p, q = spot(ends[0]), spot(ends[1])
        match item.get("feature"):
            case "door_sealed":
                out.append(stroke("d-bar", p, q) + stroke("d-core", mix(p, q, 0.06), mix(p, q, 0.94)))
            case "door_open":
                out.append(stroke("d-jamb", p, mix(p, q, 0.27)) + stroke("d-jamb", mix(p, q, 0.73), q))
            case "obstruction":
                out.append(zigzag(p, q))
            case _:
                out.append(stroke("d-core", p, q))
    return "".join(out)


def zigzag(p: Spot, q: Spot) -> str:
    dx, dy = (q[0] - p[0]) / R, (q[1] - p[1]) / R
    steps = 8
    points = []
    for i in range(steps + 1):
        x, y = mix(p, q, 0.06 + 0.88 * i / steps)
        swing = 0.0 if i in (0, steps) else 4.6 * (1 if i % 2 else -1)
        points.append(f"{num(x - dy * swing)} {num(y + dx * swing)}")
    d = "M" + "L".join(points)
    return f'<path class="obst-bg" d="{d}"/><path class="obst" d="{d}"/>'


def barricades(barricades: Sequence[Mapping[str, Any]]) -> str:
    out = []
    for item in barricades:
        at, k = item["hex"], item["dir"]
        centre = spot(at)
        p, q = spot(plane.corner(at, k - 1)), spot(plane.corner(at, k))
        a, b = mix(mix(p, q, 0.1), centre, 0.13), mix(mix(p, q, 0.9), centre, 0.13)
        teeth = "".join(
            f"M{num(x)} {num(y)}L{num(u)} {num(v)}"
            for x, y, u, v in ((*mix(a, b, t), *mix(mix(a, b, t), centre, 0.17)) for t in (0.1, 0.37, 0.63, 0.9))
        )
        out.append(stroke("b-rail", a, b) + f'<path class="b-tooth" d="{teeth}"/>')
    return "".join(out)


def _short(name: str) -> str:
    return name if len(name) <= 9 else name[:4] + "…" + name[-3:]


def pills(models: Sequence[Mapping[str, Any]]) -> str:
    """One pill a model, as long as its bulk."""
    bulks = [m.get("bulk") for m in models]
    lengths = [b if isinstance(b, int) and b > 0 else 1 for b in bulks]
    total = sum(lengths)
    if not total:
        return ""
    unit = 6.8 if total <= 3 else 22.0 / total
    gap = 1.4 if total <= 6 else 0.4
    x = -(total * unit - gap) / 2
    out = []
    for length in lengths:
        out.append(f'<rect class="mod" x="{num(x)}" y="8" width="{num(length * unit - gap)}" height="4.6" rx="2.3"/>')
        x += length * unit
    return "".join(out)


def points_of(tp: Any) -> str:
    """One triangle a tactical point; a hollow one for none, a question mark where the log does not say."""
    if not isinstance(tp, int) or isinstance(tp, bool):
        return '<text class="tpq" y="-6">?</text>'
    if tp <= 0:
        return '<path class="tp off" d="M-3.5-7.2L0-12.8 3.5-7.2z"/>'
    if tp > 3:
        return f'<path class="tp" d="M-10.5-7.2L-7-12.8-3.5-7.2z"/><text class="tpq" x="4" y="-6.5">×{tp}</text>'
    left = -(tp * 9.2 - 2.2) / 2
    return "".join(f'<path class="tp" d="M{num(left + i * 9.2)} -7.2l3.5-5.6 3.5 5.6z"/>' for i in range(tp))


def unit_words(unit: Mapping[str, Any], places: Names = NO_NAMES) -> str:
    """'um-1 (UM): Line, Line, Sergeant; bulk 4; 2 TP'."""
    names = [str(m.get("name") or m.get("id")) for m in unit.get("models") or ()]
    bulk = sum(m["bulk"] for m in unit.get("models") or () if isinstance(m.get("bulk"), int))
    tp = unit.get("tp")
    return (
        f"{unit.get('id')} ({unit.get('side')}) in {hex_words(unit['hex'], places)}: {', '.join(names) or 'no models'}"
        f"; bulk {bulk}; {'TPs unknown' if tp is None else f'{tp} TP'}"
    )


def token(unit: Mapping[str, Any], sides: Sequence[str], acting: bool, share: Callable[[str], str]) -> str:
    side = side_class(sides, unit.get("side"))
    x, y = spot(unit["hex"])
    name = _short(str(unit["id"]))
    # Names of three letters fit; longer ones are set smaller, and pressed together where even that is too wide.
    size = "" if len(name) <= 3 else " l"
    fit = ' textLength="29" lengthAdjust="spacingAndGlyphs"' if len(name) > 5 else ""
    ring = ACTING[side] if acting else ""
    body = share(TOKENS[side] + ring + points_of(unit.get("tp")) + pills(unit.get("models") or ()))
    return (
        f'<g class="unit {side}" transform="translate({num(x)} {num(y + 3)})"><title>{escape(unit_words(unit))}</title>'
        f'{body}<text class="uid{size}" y="{4.4 if not size else 3.8}"{fit}>{escape(name)}</text></g>'
    )
