"""Answers from what a child made and packed: unpacked and sent a part at a time, never whole in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from flask import Response, render_template

from auditor.jobs.packed import head_and_rest, unpacked

_BODY = "<!--body-->"
"""Where the part that was made before belongs in its shell; whatever players wrote is escaped, so it stands there once."""


def made_page(template: str, made: bytes, **values: Any) -> Response:
    """A page: the shell of this request round what was made before. The template prints `body` and reads `head`."""
    line, rest = head_and_rest(made)
    before, _, after = render_template(template, head=json.loads(line), body=_BODY, **values).partition(_BODY)

    def parts() -> Iterator[bytes]:
        yield before.encode()
        yield from rest
        yield after.encode()

    return Response(parts(), mimetype="text/html")


def made_bytes(made: bytes, mimetype: str, *, name: str | None = None) -> Response:
    """What was made, as it is; `name`: to be saved under it."""
    response = Response(unpacked(made), mimetype=mimetype)
    if name is not None:
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
