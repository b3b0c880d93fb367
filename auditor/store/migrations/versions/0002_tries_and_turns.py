"""A job counts its tries apart from its claims, and has its turn among those of other deliveries

Revision: 0002, after 0001
"""

import sqlalchemy as sa
from alembic import op

revision = '0002'
down_revision = '0001'
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table('job', schema=None) as batch_op:
        batch_op.drop_index('ix_job_due')
        batch_op.add_column(sa.Column('tries', sa.Integer(), nullable=False, server_default='0'))
        batch_op.add_column(sa.Column('turn', sa.BigInteger(), nullable=False, server_default='0'))
        batch_op.create_index('ix_job_due', ['state', 'turn', 'id'], unique=False)


def downgrade() -> None:
    with op.batch_alter_table('job', schema=None) as batch_op:
        batch_op.drop_index('ix_job_due')
        batch_op.drop_column('turn')
        batch_op.drop_column('tries')
        batch_op.create_index('ix_job_due', ['state', 'id'], unique=False)
