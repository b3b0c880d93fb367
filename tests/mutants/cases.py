"""Tests as functions that can be called without pytest: the quick net of a room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from inspect import signature
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

from hypothesis import settings

Case = tuple[str, Callable[[], object]]
"""A test as pytest names it, and a call of it."""


def cases(tests: Sequence[str]) -> Iterator[Case]:
    """The tests of modules and functions, one for each set of parameters. Tests that need a fixture are left out."""
    settings.register_profile("called", deadline=None, derandomize=True, database=None)
    settings.load_profile("called")
    for place in tests:
        file, _, wanted = place.partition("::")
        module = import_module(str(Path(file).with_suffix("")).replace("/", "."))
        for name, test in list(vars(module).items()):
            if name.startswith("test_") and callable(test) and (not wanted or name == wanted):
                yield from ((f"{file}::{name}{which}", call) for which, call in _calls(module, test))


def _calls(module: ModuleType, test: Callable[..., object]) -> Iterator[tuple[str, Callable[[], object]]]:
    marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    if any(name not in _names(marks) for name in _asked(test)):
        return
    for number, values in enumerate(product(*(list(mark.args[1]) for mark in marks))):
        given: dict[str, Any] = {}
        labels = []
        for mark, value in zip(marks, values, strict=True):
            names = _names([mark])
            parts = value.values if hasattr(value, "marks") else value if len(names) > 1 else (value,)
            given |= dict(zip(names, parts, strict=True))
            ids = mark.kwargs.get("ids")
            labels += [str(ids(part)) if callable(ids) else part if isinstance(part, str) else "" for part in parts]
        labels = [label for label in labels if label] or [str(number)]
        yield f"[{'-'.join(labels)}]" if marks else "", lambda given=given: test(**given)


def _names(marks: Sequence[Any]) -> list[str]:
    asked = [mark.args[0] for mark in marks]
    return [name.strip() for one in asked for name in (one.split(",") if isinstance(one, str) else one)]


def _asked(test: Callable[..., object]) -> list[str]:
    """The parameters of a test; hypothesis gives its own."""
    return [] if hasattr(test, "hypothesis") else list(signature(test).parameters)
