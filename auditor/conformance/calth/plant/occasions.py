"""The games that soon give an occasion for a fault: how to lay one out."""

from __future__ import annotations

from random import Random
from typing import Any

from auditor.conformance.calth.boards import random_board, random_scenario
from auditor.conformance.calth.orders import cards_of_orders
from auditor.conformance.calth.plant.companies import COMPANIES, settings_of

NO_SPECIAL_RULE = ("CAL-ACT-02 scenario", "CAL-SET-02 late", "CAL-ATK-08 placed")
"""Faults that a special rule of the scenario, whatever it says, leaves open."""


def settings_for(fault: str, rng: Random) -> dict[str, Any]:
    """The settings of `lay_out` under which a game is likely to give an occasion for this fault.

    `fault` is one of PLANTABLE. What is made up comes from `rng` alone.
    """
    settings: dict[str, Any] = {"campaign": fault.startswith("CAL-CMP")}
    company = COMPANIES.get(fault)
    if company is not None:
        settings |= settings_of(company, rng)
    if fault in NO_SPECIAL_RULE:
        board = random_board(rng)
        scenario = random_scenario(rng, board, rounds=3)
        settings |= {"board": board, "scenario": {**scenario, "special_rules": []}}
    if fault == "CAL-RDY-01 drawn twice":
        board = random_board(rng)
        settings |= {"board": board, "command_cards": cards_of_orders(rng, board)}
    return settings
