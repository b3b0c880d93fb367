"""Data packs, and the packs that an audit was asked with

Revision: 0003, after 0002
"""

import sqlalchemy as sa
from alembic import op

revision = '0003'
down_revision = '0002'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('pack',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('sha256', sa.String(length=64), nullable=False),
    sa.Column('game', sa.String(length=32), nullable=False),
    sa.Column('kind', sa.String(length=32), nullable=False),
    sa.Column('name', sa.String(length=255), nullable=False),
    sa.Column('version', sa.String(length=32), nullable=False),
    sa.Column('title', sa.String(length=200), nullable=False),
    sa.Column('size', sa.BigInteger(), nullable=False),
    sa.Column('mentions', sa.Text(), nullable=False),
    sa.Column('received_at', sa.DateTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_pack')),
    sa.UniqueConstraint('game', 'kind', 'name', 'version', name=op.f('uq_pack_game')),
    sa.UniqueConstraint('sha256', name=op.f('uq_pack_sha256'))
    )
    with op.batch_alter_table('audit', schema=None) as batch_op:
        batch_op.add_column(sa.Column('packs', sa.Text(), nullable=False, server_default='[]'))


def downgrade() -> None:
    op.execute('ALTER TABLE audit DROP COLUMN packs')
    op.drop_table('pack')
