"""The logs of a game are found by an index

Revision: 0012, after 0011
"""

from alembic import op

revision = '0012'
down_revision = '0011'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index('ix_log_game', 'log', ['game', 'id'], unique=False)


def downgrade() -> None:
    op.drop_index('ix_log_game', 'log')
