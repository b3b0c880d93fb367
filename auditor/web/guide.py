"""The pages of the documentation that judges and writers of recorders need, from the same files as in the checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, abort, render_template

from auditor.report.guides import guide_page

pages = Blueprint("guide", __name__)

GUIDES = ("report-guide", "log-format", "recorder", "glossary")


def docs_dir() -> Path | None:
    """The folder of the documentation: in a wheel beside the code, else in the checkout."""
    here = Path(__file__).resolve().parent.parent
    return next((folder for folder in (here / "_docs", here.parent / "docs") if folder.is_dir()), None)


@cache
def _read(name: str) -> tuple[str, Any] | None:
    folder = docs_dir()
    file = folder / f"{name}.md" if folder is not None and name in GUIDES else None
    return guide_page(file.read_text(encoding="utf-8"), GUIDES) if file is not None and file.is_file() else None


@pages.get("/guide/<name>")
def guide(name: str) -> str:
    """A page of the documentation; 404 for any other."""
    found = _read(name)
    if found is None:
        abort(404)
    title, text = found
    return render_template("guide.html", title=title, text=text)
