"""Column types that refuse what a database could not give back.

SQLite takes over-long text and NUL where PostgreSQL does not; these types refuse both everywhere, so that a log
which is stored today is stored on another database as well. Cleaning is the caller's work (store/cleaning.py); a value
that comes here unclean is our own mistake and raises ValueError.
"""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from auditor.store.cleaning import clean_value, is_clean


class SafeText(sa.types.TypeDecorator[str]):
    """Text of a known greatest length."""

    impl = sa.String
    cache_ok = True

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self.length = length

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        if value is None:
            return None
        if not isinstance(value, str):
            raise ValueError(f"text was expected, not {type(value).__name__}")
        if not is_clean(value) or len(value) > self.length:
            raise ValueError(f"unclean text, or more than {self.length} characters")
        return value


class Json(sa.types.TypeDecorator[Any]):
    """A JSON value kept as ASCII text. Set it anew to change it: changes inside are not seen."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return json.dumps(clean_value(value), ensure_ascii=True, allow_nan=False, separators=(",", ":"))

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


def text(length: int) -> Any:
    """A SafeText for Field(sa_type=…), which is annotated as a class although it takes instances."""
    return SafeText(length)
