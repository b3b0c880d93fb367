"""A job that needs long waits in a lane of its own

Revision: 0010, after 0009
"""

import sqlalchemy as sa
from alembic import op

revision = '0010'
down_revision = '0009'
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table('job', schema=None) as batch_op:
        batch_op.drop_index('ix_job_due')
        batch_op.add_column(sa.Column('slow', sa.Boolean(), nullable=False, server_default=sa.false()))
        batch_op.create_index('ix_job_due', ['state', 'slow', 'turn', 'id'], unique=False)


def downgrade() -> None:
    with op.batch_alter_table('job', schema=None) as batch_op:
        batch_op.drop_index('ix_job_due')
        batch_op.drop_column('slow')
        batch_op.create_index('ix_job_due', ['state', 'turn', 'id'], unique=False)
