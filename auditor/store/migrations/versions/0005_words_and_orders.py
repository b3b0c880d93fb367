"""Logs are found by words, and audits listed by verdict, rulings and number of findings

Revision: 0005, after 0004
"""

import json
import re
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = '0005'
down_revision = '0004'
branch_labels = None
depends_on = None


def words_of(name: str, header: dict[str, Any]) -> set[str]:
    """As auditor/store/words.py was when this step was written."""
    def parts(text: object) -> list[str]:
        return [word[:40] for word in re.findall(r'\w+', str(text).casefold())]

    match = header.get('match', {})
    found = {f'{key}={" ".join(parts(match[key]))}' for key in ('event', 'round', 'table') if key in match}
    players = [part for player in header.get('players', []) for text in player.values() for part in parts(text)]
    found |= {f'player={part}' for part in players}
    texts = [name, *(header.get(key, '') for key in ('title', 'board', 'scenario', 'recorded_by')), *match.values()]
    return found | {part for text in texts for part in parts(text)} | set(players)


def upgrade() -> None:
    op.create_table('log_word',
    sa.Column('word', sa.String(length=400), nullable=False),
    sa.Column('log_id', sa.Integer(), nullable=False),
    sa.ForeignKeyConstraint(['log_id'], ['log.id'], name=op.f('fk_log_word_log_id_log')),
    sa.PrimaryKeyConstraint('word', 'log_id', name=op.f('pk_log_word'))
    )
    with op.batch_alter_table('audit', schema=None) as batch_op:
        batch_op.add_column(sa.Column('standing', sa.Integer(), nullable=False, server_default='0'))
        batch_op.create_index('ix_audit_verdict', ['verdict', 'id'], unique=False)
        batch_op.create_index('ix_audit_rulings_label', ['rulings_label', 'id'], unique=False)
        batch_op.create_index('ix_audit_standing', ['standing', 'id'], unique=False)
    op.create_index('ix_job_audit_id', 'job', ['audit_id'], unique=False)
    connection = op.get_bind()
    of_counts = "json_extract(counts, '$.standing')" if connection.dialect.name == 'sqlite' else "(counts::json->>'standing')::int"
    op.execute(f'UPDATE audit SET standing = coalesce({of_counts}, 0)')
    logs = connection.execute(sa.text('SELECT id, name, header FROM log')).all()
    for ident, name, header in logs:
        for word in words_of(name, json.loads(header)):
            connection.execute(sa.text('INSERT INTO log_word (word, log_id) VALUES (:w, :i)'), {'w': word, 'i': ident})


def downgrade() -> None:
    op.drop_index('ix_job_audit_id', table_name='job')
    for name in ('standing', 'rulings_label', 'verdict'):
        op.drop_index(f'ix_audit_{name}', table_name='audit')
    op.execute('ALTER TABLE audit DROP COLUMN standing')
    op.drop_table('log_word')
