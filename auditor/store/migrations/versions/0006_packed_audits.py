"""Audits and the events of their logs are kept packed, the first errors of a log beside them

Revision: 0006, after 0005
"""

import json
import zlib

import sqlalchemy as sa
from alembic import op

revision = '0006'
down_revision = '0005'
branch_labels = None
depends_on = None

MOST_ERRORS = 50


def _make_room_for_its_name() -> None:
    """PostgreSQL knows the index of a key by its name, once in a database."""
    if op.get_bind().dialect.name == 'postgresql':
        op.execute('ALTER TABLE audit_value RENAME CONSTRAINT pk_audit_value TO pk_audit_value_before')


def upgrade() -> None:
    _make_room_for_its_name()
    op.create_table('audit_value_packed',
    sa.Column('audit_id', sa.Integer(), autoincrement=False, nullable=False),
    sa.Column('canonical', sa.LargeBinary(), nullable=False),
    sa.Column('timeline', sa.LargeBinary(), nullable=False),
    sa.Column('numbers', sa.LargeBinary(), nullable=False),
    sa.Column('errors', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['audit_id'], ['audit.id'], name=op.f('fk_audit_value_audit_id_audit')),
    sa.PrimaryKeyConstraint('audit_id', name=op.f('pk_audit_value'))
    )
    connection = op.get_bind()
    for ident in connection.execute(sa.text('SELECT audit_id FROM audit_value')).scalars().all():
        read = sa.text('SELECT canonical, timeline FROM audit_value WHERE audit_id = :i')
        canonical, timeline = connection.execute(read, {'i': ident}).one()
        events = json.loads(timeline)
        errors = json.loads(canonical).get('errors', [])[:MOST_ERRORS]
        connection.execute(
            sa.text('INSERT INTO audit_value_packed (audit_id, canonical, timeline, numbers, errors) VALUES (:i, :c, :t, :n, :e)'),
            {
                'i': ident,
                'c': zlib.compress(canonical),
                't': zlib.compress(timeline.encode()),
                'n': zlib.compress(json.dumps([event['seq'] for event in events]).encode()),
                'e': json.dumps(errors),
            },
        )
    op.drop_table('audit_value')
    op.rename_table('audit_value_packed', 'audit_value')


def downgrade() -> None:
    _make_room_for_its_name()
    op.create_table('audit_value_whole',
    sa.Column('audit_id', sa.Integer(), autoincrement=False, nullable=False),
    sa.Column('canonical', sa.LargeBinary(), nullable=False),
    sa.Column('timeline', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['audit_id'], ['audit.id'], name=op.f('fk_audit_value_audit_id_audit')),
    sa.PrimaryKeyConstraint('audit_id', name=op.f('pk_audit_value'))
    )
    connection = op.get_bind()
    for ident in connection.execute(sa.text('SELECT audit_id FROM audit_value')).scalars().all():
        read = sa.text('SELECT canonical, timeline FROM audit_value WHERE audit_id = :i')
        canonical, timeline = connection.execute(read, {'i': ident}).one()
        connection.execute(
            sa.text('INSERT INTO audit_value_whole (audit_id, canonical, timeline) VALUES (:i, :c, :t)'),
            {'i': ident, 'c': zlib.decompress(canonical), 't': zlib.decompress(timeline).decode()},
        )
    op.drop_table('audit_value')
    op.rename_table('audit_value_whole', 'audit_value')
