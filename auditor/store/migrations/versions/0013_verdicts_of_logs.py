"""The verdicts of the logs of a game are counted in an index

It begins with what the index before it held alone, so that one goes.

Revision: 0013, after 0012
"""

from alembic import op

revision = '0013'
down_revision = '0012'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index('ix_audit_log_verdict', 'audit', ['log_id', 'verdict'], unique=False)
    op.drop_index('ix_audit_log_id', 'audit')


def downgrade() -> None:
    op.create_index('ix_audit_log_id', 'audit', ['log_id'], unique=False)
    op.drop_index('ix_audit_log_verdict', 'audit')
