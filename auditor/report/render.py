"""Templates outside a web request: for the one-file report, and for whoever wants a page as a string."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from auditor.report.words import unbroken

FILTERS = {"unbroken": unbroken}
"""What templates may do with a text, here and in the service."""

_HERE = Path(__file__).resolve().parent.parent


def templates_dir() -> Path:
    """Where the templates are: in an installed package beside the code, in a checkout at its top."""
    packed = _HERE / "_templates"
    return packed if packed.is_dir() else _HERE.parent / "templates"


def stylesheet() -> str:
    """The stylesheet of the pages, as text."""
    return (_HERE / "web" / "static" / "app.css").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates, escaping everything that is not markup already."""
    made = Environment(
        loader=FileSystemLoader(templates_dir()),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= FILTERS
    return made


def render(template: str, **values: Any) -> str:
    """A page as a string."""
    return environment().get_template(template).render(**values)
