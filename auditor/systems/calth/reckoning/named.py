"""Rules that are named elsewhere than where they stand: their ids, written once."""

from __future__ import annotations

TARGET_OF_AN_ASSAULT = "CAL-ASL-01"
NO_CRITICAL_EFFECT = "CAL-OBS-03"
