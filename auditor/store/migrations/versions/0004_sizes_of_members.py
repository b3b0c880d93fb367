"""A file of a delivery that is no log has a size of its own

Revision: 0004, after 0003
"""

import sqlalchemy as sa
from alembic import op

revision = '0004'
down_revision = '0003'
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table('delivery_file', schema=None) as batch_op:
        batch_op.add_column(sa.Column('size', sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.execute('ALTER TABLE delivery_file DROP COLUMN size')
