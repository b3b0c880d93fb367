"""Words are kept without the marks on their letters, as searches are

Revision: 0009, after 0008
"""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = '0009'
down_revision = '0008'
branch_labels = None
depends_on = None

LETTERS = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "ı": "i", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})


def folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    plain = "".join(sign for sign in apart if not unicodedata.combining(sign))
    return unicodedata.normalize("NFC", plain.translate(LETTERS))


def upgrade() -> None:
    connection = op.get_bind()
    words = [word for (word,) in connection.execute(sa.text("SELECT DISTINCT word FROM log_word"))]
    for word in words:
        new = word if word.isascii() else folded(word)[:400]
        if new == word:
            continue
        connection.execute(
            sa.text(
                "INSERT INTO log_word (word, log_id) SELECT :new, log_id FROM log_word WHERE word = :old"
                " ON CONFLICT DO NOTHING"
            ),
            {"new": new, "old": word},
        )
        connection.execute(sa.text("DELETE FROM log_word WHERE word = :old"), {"old": word})


def downgrade() -> None:
    pass  # the marks are not known any more; searches of an older program find such words by their other letters
