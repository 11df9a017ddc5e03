import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
type Old = Kysely<any>

/** Numbers: as many as an organization likes, remembered by their conversations after they were let go. */
async function numbers(trx: Old) {
  await trx.schema
    .createTable('wa_connection_new')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('phone_number_id', 'text', c => c.notNull())
    .addColumn('waba_id', 'text', c => c.notNull())
    .addColumn('phone', 'text', c => c.notNull())
    .addColumn('verified_name', 'text')
    .addColumn('access_token_sealed', 'text', c => c.notNull())
    .addColumn('app_secret_sealed', 'text', c => c.notNull())
    .addColumn('verify_token_sealed', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull().defaultTo('connected'))
    .addColumn('status_reason', 'text')
    .addColumn('last_webhook_at', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('updated_at', 'text', c => c.notNull())
    .addColumn('disconnected_at', 'text')
    .addColumn('is_listed', 'integer', c => c.notNull().defaultTo(1))
    .addColumn('shown_phone', 'text')
    .execute()
  const kept = sql.raw(`id, org_id, kind, phone_number_id, waba_id, phone, verified_name, access_token_sealed,
    app_secret_sealed, verify_token_sealed, status, status_reason, last_webhook_at, created_at, updated_at`)
  await sql`insert into wa_connection_new (${kept}) select ${kept} from wa_connection`.execute(trx)
  await trx.schema.dropTable('wa_connection').execute()
  await sql`alter table wa_connection_new rename to wa_connection`.execute(trx)
  await connectionIndexes(trx)
}

async function connectionIndexes(trx: Old) {
  await trx.schema
    .createIndex('wa_connection_org')
    .on('wa_connection')
    .columns(['org_id', 'phone_number_id'])
    .unique()
    .execute()
  // One that was let go may be connected by anybody.
  await trx.schema
    .createIndex('wa_connection_number')
    .on('wa_connection')
    .column('phone_number_id')
    .unique()
    .where(sql.ref('disconnected_at'), 'is', null)
    .execute()
  await trx.schema.createIndex('wa_connection_waba').on('wa_connection').column('waba_id').execute()
}

/**
 * Which conversations are the simulator's. Nothing said so before, and the simulator forgets its oldest messages: what it
 * surely did not send is real, what it surely sent is simulated, and of what nobody knows the present number decides. What
 * began before the simulator was connected, however far its clock was moved, with somebody it does not know, is real.
 */
async function sides(trx: Old) {
  await sql`create temporary table conversation_side (id text primary key, org_id text not null, kind text not null)`.execute(
    trx,
  )
  await sql`insert into conversation_side (id, org_id, kind)
    select c.id, c.org_id, case
      when s.org_id is null then 'cloud'
      when w.kind = 'sandbox' then case when exists (
        select 1 from message m where m.conversation_id = c.id and m.direction = 'in' and m.wamid is not null
          and not exists (select 1 from sandbox_message x where x.wamid = m.wamid)
          and strftime('%s', m.at) * 1000 > (select min(x.at_ms) from sandbox_message x where x.org_id = c.org_id)
      ) or (
        strftime('%s', c.created_at) * 1000 < strftime('%s', w.created_at) * 1000 - s.aged_ms
        and not exists (
          select 1 from contact_identity i join sandbox_customer u on u.org_id = i.org_id
            and (u.wa_id = i.value or u.wa_id = i.match_key or u.bsuid = i.value)
            where i.contact_id = c.contact_id
        )
      ) then 'cloud' else 'sandbox' end
      else case when exists (
        select 1 from message m join sandbox_message x on x.wamid = m.wamid
          where m.conversation_id = c.id and m.direction = 'in'
      ) and not exists (
        select 1 from message m where m.conversation_id = c.id and m.direction = 'in' and m.wamid is not null
          and not exists (select 1 from sandbox_message x where x.wamid = m.wamid)
      ) then 'sandbox' else 'cloud' end
    end
    from conversation c
      left join sandbox_number s on s.org_id = c.org_id
      left join wa_connection w on w.org_id = c.org_id`.execute(trx)

  // Numbers that were let go before they were remembered: a real one without a name of its own, and the simulator's.
  const columns = sql.raw(`id, org_id, kind, phone_number_id, waba_id, phone, access_token_sealed, app_secret_sealed,
    verify_token_sealed, created_at, updated_at, disconnected_at, is_listed`)
  await sql`insert into wa_connection (${columns})
    select 'former' || lower(hex(randomblob(9))), side.org_id, 'cloud', '', '', '', '', '', '', o."createdAt",
      o."createdAt", o."createdAt",
      case when exists (select 1 from wa_connection w where w.org_id = side.org_id) then 0 else 1 end
    from (select distinct org_id from conversation_side where kind = 'cloud') side
      join organization o on o.id = side.org_id
    where not exists (select 1 from wa_connection w where w.org_id = side.org_id and w.kind = 'cloud')`.execute(trx)
  await sql`insert into wa_connection (${columns})
    select 'former' || lower(hex(randomblob(9))), side.org_id, 'sandbox', s.phone_number_id, s.waba_id, s.phone, '', '',
      '', o."createdAt", o."createdAt", o."createdAt",
      case when exists (select 1 from wa_connection w where w.org_id = side.org_id) then 0 else 1 end
    from (select distinct org_id from conversation_side where kind = 'sandbox') side
      join organization o on o.id = side.org_id
      join sandbox_number s on s.org_id = side.org_id
    where not exists (select 1 from wa_connection w where w.org_id = side.org_id and w.kind = 'sandbox')`.execute(trx)
}

/** Conversations: one for each contact and number. */
async function conversations(trx: Old) {
  // It names the table that is about to be another one.
  await sql`drop trigger member_leaves_conversations`.execute(trx)
  await trx.schema
    .createTable('conversation_new')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('contact_id', 'text', c => c.notNull().references('contact.id').onDelete('cascade'))
    .addColumn('connection_id', 'text', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull().defaultTo('cloud'))
    .addColumn('control', 'text', c => c.notNull())
    .addColumn('assignee_id', 'text')
    .addColumn('archived', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('unread', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('window_closes_at', 'text')
    .addColumn('last_activity_at', 'text', c => c.notNull())
    .addColumn('last_message_seq', 'integer')
    .addColumn('last_message_at', 'text')
    .addColumn('last_message_text', 'text')
    .addColumn('last_message_type', 'text')
    .addColumn('last_message_direction', 'text')
    .addColumn('last_message_status', 'text')
    .addColumn('last_inbound_wamid', 'text')
    .addColumn('last_human_event_at', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addUniqueConstraint('conversation_once', ['contact_id', 'connection_id'])
    .execute()
  const kept = `control, assignee_id, archived, unread, window_closes_at, last_activity_at, last_message_seq,
    last_message_at, last_message_text, last_message_type, last_message_direction, last_message_status,
    last_inbound_wamid, last_human_event_at, created_at`
  await sql`insert into conversation_new (id, org_id, contact_id, connection_id, kind, ${sql.raw(kept)})
    select c.id, c.org_id, c.contact_id, w.id, w.kind, ${sql.raw(
      kept
        .split(/,\s*/)
        .map(column => `c.${column}`)
        .join(', '),
    )}
    from conversation c
      join conversation_side side on side.id = c.id
      join wa_connection w on w.org_id = c.org_id and w.kind = side.kind`.execute(trx)
  await trx.schema.dropTable('conversation').execute()
  await sql`alter table conversation_new rename to conversation`.execute(trx)
  await conversationIndexes(trx)
  await sql`create trigger member_leaves_conversations after delete on member
   begin update conversation set assignee_id = null where org_id = old."organizationId" and assignee_id = old."userId"; end`.execute(
    trx,
  )
  await sql`drop table conversation_side`.execute(trx)
}

async function conversationIndexes(trx: Old) {
  await trx.schema
    .createIndex('conversation_list')
    .on('conversation')
    .columns(['org_id', 'kind', 'archived', 'last_activity_at desc', 'id desc'])
    .execute()
  await trx.schema
    .createIndex('conversation_number')
    .on('conversation')
    .columns(['connection_id', 'archived', 'last_activity_at desc', 'id desc'])
    .execute()
  await trx.schema
    .createIndex('conversation_unread')
    .on('conversation')
    .columns(['org_id', 'kind', 'archived', 'unread'])
    .where('unread', '>', sql.lit(0))
    .execute()
  await trx.schema
    .createIndex('conversation_assigned')
    .on('conversation')
    .columns(['org_id', 'assignee_id'])
    .where('assignee_id', 'is not', null)
    .execute()
}

/** What waits to leave shares the pace of the number it leaves through. */
async function paces(trx: Old) {
  const next = sql.raw(
    `(select 'number ' || w.id from wa_connection w where w.org_id = job.org_id and w.disconnected_at is null)`,
  )
  await sql`update job set pace_key = ${next}, queue = kind || '/' || lane || '/' || org_id || '/' || ${next}
    where pace_key = 'number' and finished_at is null
      and exists (select 1 from wa_connection w where w.org_id = job.org_id and w.disconnected_at is null)`.execute(trx)
  await sql`update job_pace set pace_key = (select 'number ' || w.id from wa_connection w where w.org_id = job_pace.org_id
      and w.disconnected_at is null)
    where pace_key = 'number'
      and exists (select 1 from wa_connection w where w.org_id = job_pace.org_id and w.disconnected_at is null)`.execute(
    trx,
  )
}

/** PostgreSQL changes tables where they are, and has none with rows from before. */
async function inPlace(db: Old) {
  for (const column of ['org_id', 'phone_number_id'])
    await db.schema.alterTable('wa_connection').dropConstraint(`wa_connection_${column}_key`).execute()
  await db.schema
    .alterTable('wa_connection')
    .addColumn('disconnected_at', 'text')
    .addColumn('is_listed', 'integer', c => c.notNull().defaultTo(1))
    .addColumn('shown_phone', 'text')
    .execute()
  await db.schema.dropIndex('wa_connection_waba').execute()
  await connectionIndexes(db)
  for (const name of ['list', 'unread', 'assigned']) await db.schema.dropIndex(`conversation_${name}`).execute()
  await db.schema.alterTable('conversation').dropConstraint('conversation_contact_id_key').execute()
  await db.schema
    .alterTable('conversation')
    .addColumn('connection_id', 'text', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull().defaultTo('cloud'))
    .execute()
  await db.schema
    .alterTable('conversation')
    .addUniqueConstraint('conversation_once', ['contact_id', 'connection_id'])
    .execute()
  await conversationIndexes(db)
}

/**
 * A conversation belongs to a contact and a number. Tables whose keys change are made anew, and a table that goes takes
 * along what refers to it unless that is put off; which can only be said outside of a transaction.
 */
export async function up(db: Old): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return inPlace(db)
  const done = await sql`select 1 from pragma_table_info('conversation') where name = 'connection_id'`.execute(db)
  // Stopped after its commit and before it was noted.
  if (done.rows.length) return
  await sql`pragma foreign_keys = off`.execute(db)
  try {
    await db.transaction().execute(async trx => {
      await numbers(trx)
      await sides(trx)
      await conversations(trx)
      await paces(trx)
      const broken = await sql`pragma foreign_key_check`.execute(trx)
      if (broken.rows.length) throw new Error('Rows would refer to nothing after the migration')
    })
  } finally {
    await sql`pragma foreign_keys = on`.execute(db)
  }
}
