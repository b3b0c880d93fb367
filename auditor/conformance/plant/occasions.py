"""The games that soon give an occasion for a fault: how to lay one out."""

from __future__ import annotations

from random import Random
from typing import Any

from auditor.conformance.plant.companies import COMPANIES, settings_of


def settings_for(fault: str, rng: Random) -> dict[str, Any]:
    """The settings of `lay_out` under which a game is likely to give an occasion for this fault.

    `fault` is one of PLANTABLE. What is made up comes from `rng` alone.
    """
    settings: dict[str, Any] = {"campaign": fault.startswith("CAL-CMP")}
    company = COMPANIES.get(fault)
    if company is not None:
        settings |= settings_of(company, rng)
    return settings
