"""What a twin of a position is made of, that tells which of its cells are asked (`Ruleset.watched`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from auditor.core.findings import Fact

Ask = Callable[[Fact], None]
Value = TypeVar("Value")


class Asked(dict[Any, Any]):
    """A map that tells which of its entries are asked for (`one`), and when it is gone through or counted (`whole`)."""

    def __init__(self, entries: Mapping[Any, Any], one: Callable[[Any], None], whole: Callable[[], None]) -> None:
        super().__init__(entries)
        self._one, self._whole = one, whole

    def get(self, key: Any, default: Any = None) -> Any:
        self._one(key)
        return super().get(key, default)

    def __getitem__(self, key: Any) -> Any:
        self._one(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._one(key)
        return super().__contains__(key)

    def __len__(self) -> int:
        self._whole()
        return super().__len__()

    def __iter__(self) -> Iterator[Any]:
        self._whole()
        return super().__iter__()

    def copy(self) -> dict[Any, Any]:
        """A plain map: whoever copies asks nothing yet."""
        return dict(super().items())

    def keys(self) -> Any:
        self._whole()
        return super().keys()

    def items(self) -> Any:
        self._whole()
        return super().items()

    def values(self) -> Any:
        self._whole()
        return super().values()


def telling(
    kind: type[Value],
    cells: Mapping[str, tuple[Fact, ...]] | None = None,
    own: Mapping[str, tuple[str, ...]] | None = None,
) -> type[Value]:
    """A kind of value like a dataclass with slots, whose fields tell that they are asked: the `cells` of each, and of
    `own` the cells that are its words with the name of the value."""
    cells, own, base = cells or {}, own or {}, object.__getattribute__

    def asked(self: Any, field: str) -> Any:
        for cell in cells.get(field, ()):
            base(self, "ask")(cell)
        for word in own.get(field, ()):
            base(self, "ask")((word, base(self, "name")))
        return base(self, field)

    def alike(self: Any, other: object) -> bool:
        names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
        return isinstance(other, kind) and all(getattr(self, name) == getattr(other, name) for name in names)

    body = {"__slots__": ("ask", "name"), "__getattribute__": asked, "__eq__": alike, "__hash__": kind.__hash__}
    return type(f"Telling{kind.__name__}", (kind,), body)


def twin(kind: type[Value], of: Value, ask: Ask, name: str = "") -> Value:
    """A value of a kind that tells what is asked of it (`telling`), with the fields of another."""
    made = kind.__new__(kind)
    for field in fields(of):  # type: ignore[arg-type]
        object.__setattr__(made, field.name, getattr(of, field.name))
    object.__setattr__(made, "ask", ask)
    object.__setattr__(made, "name", name)
    return made
