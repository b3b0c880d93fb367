"""What is taken in from a connection: requests that are sent on, for this machine's names, and long ones only with a session.

Whatever else comes is cut off before its body is stored, because a body may be large and its sender slow.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask
from itsdangerous import BadData
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser, ParsingError  # type: ignore[import-untyped]
from werkzeug.http import parse_cookie
from werkzeug.sansio.utils import host_is_trusted

LONG = 64 * 1024
"""Bytes of a body that is taken in from whoever sends it, to be answered with a page."""
HEAD_SECONDS = 10.0
"""A request's head has to be here in this time."""
BODY_SECONDS = 20.0
BODY_RATE = 4 * 1024
"""A body has this time, and more for what has come of it: so many bytes make a second."""


def take_in(server: Any, app: Flask) -> None:
    """Let a server take in only what an app may answer."""
    refused = _refusals(app)

    class Parser(HTTPRequestParser):  # type: ignore[misc]
        def parse_header(self, header_plus: bytes) -> None:
            super().parse_header(header_plus)
            length = self.content_length if not self.chunked else LONG + 1
            why = refused(self.headers, length) if length > 0 else None
            if why is not None:
                raise ParsingError(why)

    class Channel(HTTPChannel):  # type: ignore[misc]
        parser_class = Parser
        begun = 0.0

        def received(self, data: bytes) -> Any:
            if self.request is None:
                self.begun = time.time()
            return super().received(data)

    server.channel_class = Channel
    by_itself = server.maintenance

    def maintenance(now: float) -> None:
        by_itself(now)
        for channel in list(server.active_channels.values()):
            if not channel.requests and channel.request is not None and is_overdue(channel, now):
                channel.will_close = True

    server.maintenance = maintenance


def is_overdue(channel: Any, now: float) -> bool:
    """Whether a request that is half here should be here by now."""
    took = now - channel.begun
    if not channel.request.headers_finished:
        return bool(took > HEAD_SECONDS)
    return bool(took > BODY_SECONDS + channel.request.body_bytes_received / BODY_RATE)


def _refusals(app: Flask) -> Callable[[Mapping[str, str], int], str | None]:
    """Why a body of so many bytes is not taken in, by the head of its request; None if it is."""
    signer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    name, trusted = app.config["SESSION_COOKIE_NAME"], app.config["TRUSTED_HOSTS"]

    def refused(headers: Mapping[str, str], length: int) -> str | None:
        if trusted and not host_is_trusted(headers.get("HOST"), trusted):
            return "The service answers to the names of this machine only."
        if length <= LONG:
            return None
        try:
            session = signer.loads(parse_cookie(headers.get("COOKIE", "")).get(name, ""))
        except BadData:
            session = {}
        if "csrf_token" not in session:
            return "Please send that again from a page of this service: the page was open too long, or its form came from elsewhere."
        return None

    return refused
