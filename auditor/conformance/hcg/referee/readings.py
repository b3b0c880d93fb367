"""The readings of catalogue 2, each with the options under which a log is judged here, the recommended one first."""

from __future__ import annotations

from auditor.conformance.hcg.readings import READINGS

OPTIONS: dict[str, tuple[str, ...]] = {
    **READINGS,
    "OR-NOCARDSATK": ("skip-to-defender",),
    "OR-FIZZLE": ("partial",),
    "OR-CMDFACE": ("no",),
}
