"""What a command line may call: write a generated game to a file."""

from __future__ import annotations

from pathlib import Path

from auditor.conformance.generate import as_jsonl, generate
from auditor.conformance.packs import Packs


def write_game(
    seed: int,
    rounds: int,
    out: Path,
    scenario: str | None = None,
    rosters: tuple[str, str] | None = None,
    command_cards: str | None = None,
    packs: Path | None = None,
    omit_claims: float = 0.0,
) -> int:
    """Write a generated game as JSONL and give back the number of its events.

    Without a scenario everything is invented; with one, `scenario`, the two `rosters` (UM, WB) and
    `command_cards` are ids of data packs in the folder `packs`, and the board is the scenario's own.
    """
    known = Packs() if packs is None else Packs.read(packs)
    lines = generate(
        seed,
        rounds=rounds,
        board=None if scenario is None else known.find(scenario)["board"],
        scenario=scenario,
        rosters=None if rosters is None else dict(zip(("UM", "WB"), rosters, strict=True)),
        command_cards=command_cards,
        packs=known,
        omit_claims=omit_claims,
    )
    out.write_text(as_jsonl(lines), encoding="utf-8", newline="\n")
    return len(lines) - 1
