"""The readings of catalogue 2 with the options under which a log is judged here: all of them, the recommended one first."""

from __future__ import annotations

from auditor.conformance.hcg.readings import READINGS

OPTIONS = READINGS
