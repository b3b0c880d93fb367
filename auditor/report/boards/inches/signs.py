"""Patterns of the ground of a table, once on every page. Each can be told from the others without any colour."""

from __future__ import annotations

DEFS = (
    '<pattern id="p-rough" width="12" height="12" patternUnits="userSpaceOnUse">'
    '<path class="pr" d="M1 9l3-5 3 5zM7 3.5l2-3 2 3z"/></pattern>'
    '<pattern id="p-danger" width="10" height="10" patternUnits="userSpaceOnUse">'
    '<path class="pr" d="M2 2l4 4m0-4l-4 4"/></pattern>'
    '<pattern id="p-wall" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="pb-bg" width="7" height="7"/><rect class="pb-fg" width="3.1" height="7"/></pattern>'
)
