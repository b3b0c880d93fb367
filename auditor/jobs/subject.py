"""What an audit is of, as whoever asks for its forms tells the child that makes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Subject:
    """What an audit is of, as pages say it.

    name      that of the log's file
    header    what is shown of the log's header
    events    how many events it has
    prefix    what stands before every address of this service ("" where it is alone under its name)
    """

    key: str
    name: str
    game: str | None
    header: Mapping[str, Any]
    log_sha256: str
    verdict: str
    events: int
    prefix: str = ""
