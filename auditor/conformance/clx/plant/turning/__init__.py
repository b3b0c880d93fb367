"""Faults under one option of a reading: situations in which the options differ, played by one and judged by another."""

from auditor.conformance.clx.plant.turning.planting import NEVER, NOT_YET, PLANTABLE_READINGS, plant_reading

__all__ = ["NEVER", "NOT_YET", "PLANTABLE_READINGS", "plant_reading"]
