"""The first tables

Revision: 0001, after 
"""

import sqlalchemy as sa
from alembic import op

revision = '0001'
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('delivery',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('key', sa.String(length=20), nullable=False),
    sa.Column('source', sa.String(length=16), nullable=False),
    sa.Column('rulings_label', sa.String(length=120), nullable=False),
    sa.Column('received_at', sa.DateTime(timezone=True), nullable=False),
    sa.CheckConstraint("source IN ('upload', 'api', 'example')", name=op.f('ck_delivery_source')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_delivery')),
    sa.UniqueConstraint('key', name=op.f('uq_delivery_key'))
    )
    op.create_table('log',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('sha256', sa.String(length=64), nullable=False),
    sa.Column('size', sa.BigInteger(), nullable=False),
    sa.Column('name', sa.String(length=255), nullable=False),
    sa.Column('game', sa.String(length=32), nullable=True),
    sa.Column('title', sa.String(length=200), nullable=True),
    sa.Column('header', sa.Text(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_log')),
    sa.UniqueConstraint('sha256', name=op.f('uq_log_sha256'))
    )
    op.create_table('rulings_set',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('name', sa.String(length=120), nullable=False),
    sa.Column('digest', sa.String(length=64), nullable=False),
    sa.Column('value', sa.Text(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_rulings_set')),
    sa.UniqueConstraint('name', name=op.f('uq_rulings_set_name'))
    )
    op.create_table('upload',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('sha256', sa.String(length=64), nullable=False),
    sa.Column('size', sa.BigInteger(), nullable=False),
    sa.Column('container', sa.String(length=16), nullable=False),
    sa.Column('name', sa.String(length=255), nullable=False),
    sa.Column('source', sa.String(length=16), nullable=False),
    sa.Column('problems', sa.Text(), nullable=False),
    sa.Column('received_at', sa.DateTime(timezone=True), nullable=False),
    sa.CheckConstraint("container IN ('plain', 'gzip', 'zip', 'unknown')", name=op.f('ck_upload_container')),
    sa.CheckConstraint("source IN ('upload', 'api', 'example')", name=op.f('ck_upload_source')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_upload')),
    sa.UniqueConstraint('sha256', name=op.f('uq_upload_sha256'))
    )
    op.create_table('audit',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('key', sa.String(length=20), nullable=False),
    sa.Column('log_id', sa.Integer(), nullable=False),
    sa.Column('ruleset_version', sa.String(length=64), nullable=False),
    sa.Column('rulings_digest', sa.String(length=64), nullable=False),
    sa.Column('rulings_label', sa.String(length=120), nullable=False),
    sa.Column('rulings', sa.Text(), nullable=True),
    sa.Column('verdict', sa.String(length=16), nullable=True),
    sa.Column('digest', sa.String(length=64), nullable=True),
    sa.Column('counts', sa.Text(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('finished_at', sa.DateTime(timezone=True), nullable=True),
    sa.CheckConstraint("verdict IN ('clean', 'findings', 'incomplete', 'unreadable')", name=op.f('ck_audit_verdict')),
    sa.ForeignKeyConstraint(['log_id'], ['log.id'], name=op.f('fk_audit_log_id_log')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_audit')),
    sa.UniqueConstraint('key', name=op.f('uq_audit_key')),
    sa.UniqueConstraint('log_id', 'ruleset_version', 'rulings_digest', name=op.f('uq_audit_log_id'))
    )
    with op.batch_alter_table('audit', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_audit_log_id'), ['log_id'], unique=False)

    op.create_table('member',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('upload_id', sa.Integer(), nullable=False),
    sa.Column('position', sa.Integer(), nullable=False),
    sa.Column('name', sa.String(length=255), nullable=False),
    sa.Column('log_id', sa.Integer(), nullable=True),
    sa.Column('problems', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['log_id'], ['log.id'], name=op.f('fk_member_log_id_log')),
    sa.ForeignKeyConstraint(['upload_id'], ['upload.id'], name=op.f('fk_member_upload_id_upload')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_member')),
    sa.UniqueConstraint('upload_id', 'position', name=op.f('uq_member_upload_id'))
    )
    with op.batch_alter_table('member', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_member_log_id'), ['log_id'], unique=False)

    op.create_table('audit_value',
    sa.Column('audit_id', sa.Integer(), autoincrement=False, nullable=False),
    sa.Column('canonical', sa.LargeBinary(), nullable=False),
    sa.Column('timeline', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['audit_id'], ['audit.id'], name=op.f('fk_audit_value_audit_id_audit')),
    sa.PrimaryKeyConstraint('audit_id', name=op.f('pk_audit_value'))
    )
    op.create_table('delivery_file',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('delivery_id', sa.Integer(), nullable=False),
    sa.Column('position', sa.Integer(), nullable=False),
    sa.Column('name', sa.String(length=513), nullable=False),
    sa.Column('upload_id', sa.Integer(), nullable=False),
    sa.Column('log_id', sa.Integer(), nullable=True),
    sa.Column('audit_id', sa.Integer(), nullable=True),
    sa.Column('known', sa.Boolean(), nullable=False),
    sa.Column('skipped', sa.Boolean(), nullable=False),
    sa.Column('problems', sa.Text(), nullable=False),
    sa.ForeignKeyConstraint(['audit_id'], ['audit.id'], name=op.f('fk_delivery_file_audit_id_audit')),
    sa.ForeignKeyConstraint(['delivery_id'], ['delivery.id'], name=op.f('fk_delivery_file_delivery_id_delivery')),
    sa.ForeignKeyConstraint(['log_id'], ['log.id'], name=op.f('fk_delivery_file_log_id_log')),
    sa.ForeignKeyConstraint(['upload_id'], ['upload.id'], name=op.f('fk_delivery_file_upload_id_upload')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_delivery_file')),
    sa.UniqueConstraint('delivery_id', 'position', name=op.f('uq_delivery_file_delivery_id'))
    )
    with op.batch_alter_table('delivery_file', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_delivery_file_audit_id'), ['audit_id'], unique=False)

    op.create_table('job',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('kind', sa.String(length=16), nullable=False),
    sa.Column('audit_id', sa.Integer(), nullable=False),
    sa.Column('state', sa.String(length=16), nullable=False),
    sa.Column('attempts', sa.Integer(), nullable=False),
    sa.Column('owner', sa.String(length=64), nullable=True),
    sa.Column('lease_until', sa.DateTime(timezone=True), nullable=True),
    sa.Column('error', sa.String(length=500), nullable=True),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('updated_at', sa.DateTime(timezone=True), nullable=False),
    sa.CheckConstraint("state IN ('queued', 'running', 'done', 'failed')", name=op.f('ck_job_state')),
    sa.ForeignKeyConstraint(['audit_id'], ['audit.id'], name=op.f('fk_job_audit_id_audit')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_job')),
    sa.UniqueConstraint('kind', 'audit_id', name=op.f('uq_job_kind'))
    )
    with op.batch_alter_table('job', schema=None) as batch_op:
        batch_op.create_index('ix_job_due', ['state', 'id'], unique=False)



def downgrade() -> None:
    with op.batch_alter_table('job', schema=None) as batch_op:
        batch_op.drop_index('ix_job_due')

    op.drop_table('job')
    with op.batch_alter_table('delivery_file', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_delivery_file_audit_id'))

    op.drop_table('delivery_file')
    op.drop_table('audit_value')
    with op.batch_alter_table('member', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_member_log_id'))

    op.drop_table('member')
    with op.batch_alter_table('audit', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_audit_log_id'))

    op.drop_table('audit')
    op.drop_table('upload')
    op.drop_table('rulings_set')
    op.drop_table('log')
    op.drop_table('delivery')
