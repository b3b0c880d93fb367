"""Importing this loads the engine and its games and audits a short game of each: what the process does once from which
children are forked (`jobs.child.prepare`)."""

from __future__ import annotations

import contextlib

from auditor.jobs.work import warm
from auditor.service.examples import samples

with contextlib.suppress(Exception):  # what goes wrong here goes wrong in the first call too, and is said there
    warm("auditor.engine", samples())
