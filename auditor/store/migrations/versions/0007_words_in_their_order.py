"""Words are ordered by their signs, whatever language a PostgreSQL server orders text in; a key for what all processes
of an installation share

Revision: 0007, after 0006
"""

import sqlalchemy as sa
from alembic import op

revision = '0007'
down_revision = '0006'
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name == 'postgresql':
        op.execute('ALTER TABLE log_word ALTER COLUMN word TYPE VARCHAR(400) COLLATE "C"')
    op.create_table('secret',
    sa.Column('name', sa.String(length=32), nullable=False),
    sa.Column('value', sa.LargeBinary(), nullable=False),
    sa.PrimaryKeyConstraint('name', name=op.f('pk_secret'))
    )


def downgrade() -> None:
    op.drop_table('secret')
