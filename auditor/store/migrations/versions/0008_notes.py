"""What the program notes for itself: which version wrote last, and a sign that writing works

Revision: 0008, after 0007
"""

import sqlalchemy as sa
from alembic import op

revision = '0008'
down_revision = '0007'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('note',
    sa.Column('name', sa.String(length=32), nullable=False),
    sa.Column('value', sa.String(length=255), nullable=False),
    sa.PrimaryKeyConstraint('name', name=op.f('pk_note'))
    )


def downgrade() -> None:
    op.drop_table('note')
