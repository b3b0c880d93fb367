"""Pages of the documentation as HTML, for those who read it in a browser."""

from __future__ import annotations

import re
from collections.abc import Collection

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup


def guide_page(text: str, others: Collection[str]) -> tuple[str, Markup]:
    """The title and the HTML of a page in Markdown. Links to `others` lead there; files that are not served keep their words."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(re.sub(r"(?m)^<!--.*-->$", "", text))
    title = ""
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            words = tokens[at + 1].content
            title = title or words
            token.attrSet("id", re.sub(r"[^\w-]", "", words.lower().replace(" ", "-")))
        elif token.type == "table_open":  # it may be wider than a phone, and scrolls, by keys too
            token.attrSet("tabindex", "0")
        _lead_on(token.children or (), others)
    return title, Markup(markdown.renderer.render(tokens, markdown.options, {}))


def _lead_on(words: Collection[Token], others: Collection[str]) -> None:
    is_link = True
    for token in words:
        if token.type == "link_open":
            name, at, mark = str(token.attrs.get("href")).partition("#")
            name = name.removesuffix(".md")
            is_link = not name or name in others
            token.attrs = {"href": f"{name}{at}{mark}"} if is_link else {}
        if token.type in ("link_open", "link_close") and not is_link:
            token.tag = "span"
