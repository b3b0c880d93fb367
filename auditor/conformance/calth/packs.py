"""Data packs read as plain JSON, so that a header may name them by id."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from auditor.conformance.calth.tables import SIDES


class Packs:
    """Data packs by id."""

    def __init__(self, packs: Iterable[Mapping[str, Any]] = ()) -> None:
        self.by_id = {str(pack["id"]): dict(pack) for pack in packs}

    @classmethod
    def read(cls, folder: Path) -> Packs:
        """Every pack in a folder of JSON files; a file holds one pack or a list of them."""
        found: list[Mapping[str, Any]] = []
        for path in sorted(folder.glob("*.json")):
            content = json.loads(path.read_text(encoding="utf-8"))
            found += content if isinstance(content, list) else [content]
        return cls(pack for pack in found if "id" in pack)

    def find(self, value: Any) -> Any:
        """A pack by its id; anything but an id is given back as it is.

        Raises KeyError for an id that is not there.
        """
        return deepcopy(self.by_id[value]) if isinstance(value, str) else value

    def inlined(self, header: Mapping[str, Any]) -> dict[str, Any]:
        """A copy of a header with every pack in full."""
        full = dict(header)
        full["scenario"] = self.find(header["scenario"])
        full["board"] = self.find(header.get("board") or full["scenario"]["board"])
        full["rosters"] = {side: self.find(header["rosters"][side]) for side in SIDES}
        if "command_cards" in header:
            cards = self.find(header["command_cards"])
            full["command_cards"] = cards if isinstance(cards, list) else cards["cards"]
        return full
