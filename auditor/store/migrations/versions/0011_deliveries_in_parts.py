"""A delivery is taken in part by part, and an upload may be removed

Revision: 0011, after 0010
"""

import sqlalchemy as sa
from alembic import op

revision = '0011'
down_revision = '0010'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('filling',
    sa.Column('delivery_id', sa.Integer(), autoincrement=False, nullable=False),
    sa.Column('files', sa.Text(), nullable=False),
    sa.Column('choice', sa.Text(), nullable=False),
    sa.Column('total', sa.Integer(), nullable=True),
    sa.Column('slow', sa.Boolean(), nullable=False, server_default=sa.false()),
    sa.Column('owner', sa.String(length=64), nullable=True),
    sa.Column('lease_until', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['delivery_id'], ['delivery.id'], name=op.f('fk_filling_delivery_id_delivery')),
    sa.PrimaryKeyConstraint('delivery_id', name=op.f('pk_filling'))
    )
    with op.batch_alter_table('delivery_file', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_delivery_file_upload_id'), ['upload_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_delivery_file_log_id'), ['log_id'], unique=False)


def downgrade() -> None:
    with op.batch_alter_table('delivery_file', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_delivery_file_log_id'))
        batch_op.drop_index(batch_op.f('ix_delivery_file_upload_id'))
    op.drop_table('filling')
