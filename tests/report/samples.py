"""The sample audits of this folder, whole."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "samples"
NAMES = ("full", "clean", "incomplete", "unreadable", "empty", "hostile")


@dataclass(frozen=True)
class Sample:
    """What every page is made from."""

    audit: dict[str, Any]
    frames: list[dict[str, Any]]
    rules: list[dict[str, Any]]
    readings: list[dict[str, Any]]
    header: dict[str, Any]

    @property
    def parts(self) -> tuple[Any, ...]:
        return self.audit, self.frames, self.rules, self.readings, self.header


def sample(name: str) -> Sample:
    """A sample with its boards put together."""
    raw = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    ground = raw.pop("ground")

    def laid(value: Any) -> Any:
        if isinstance(value, dict):
            if value.get("$ground"):
                return {**ground, **{k: laid(v) for k, v in value.items() if k != "$ground"}}
            return {k: laid(v) for k, v in value.items()}
        return [laid(v) for v in value] if isinstance(value, list) else value

    return Sample(**laid(raw))
