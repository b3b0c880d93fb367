"""Betrayal at Calth: a hex board, exact lines of sight. Source: the Calth catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.core.ruleset import Ruleset

    RULESET: Ruleset

__all__ = ["RULESET"]


def __getattr__(name: str) -> Any:
    """The ruleset, loaded when it is first asked for: reading a log needs the records only."""
    if name == "RULESET":
        from auditor.systems.calth.ruleset import RULESET

        return RULESET
    raise AttributeError(name)
