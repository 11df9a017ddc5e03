import { type Kysely, sql } from 'kysely'

/** What has to leave is jobs like everything else that waits; receipts that waited are a courtesy and not carried over. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  const columns =
    sql.raw(`org_id, kind, lane, queue, order_key, pace_key, unique_key, payload, state, blocked, attempts,
    due_at, owner, added_at`)
  // A message is sent by its first row; a second one of the same message has nothing left to do.
  const isFirst = sql.raw(`not exists (select 1 from outbox as other
    where other.message_id = o.message_id and other.seq < o.seq and other.kind = 'message' and other.state != 'done')`)
  const payload = sql.raw(`'{"messageId":"' || o.message_id || '"}'`)
  const queue = sql.raw(`'outbox.message/' || (case m.author_kind when 'person' then 0 else 1 end) || '/' || o.org_id
    || '/number'`)
  await sql`insert into job (${columns})
    select o.org_id, 'outbox.message', case m.author_kind when 'person' then 0 else 1 end, ${queue},
      case o.state when 'inFlight' then null else 'conversation ' || o.conversation_id end, 'number', o.message_id,
      ${payload}, case when o.state = 'inFlight' then 'running' else 'retrying' end, 0, o.attempts, o.due_at,
      case o.state when 'inFlight' then 'before' end, o.updated_at
    from outbox as o join message as m on m.id = o.message_id
    where o.kind = 'message' and o.state in ('queued', 'inFlight') and ${isFirst} order by o.seq`.execute(db)
  await sql`insert into job (${columns})
    select o.org_id, 'outbox.unconfirmed', 1, 'outbox.unconfirmed/1/' || o.org_id || '/', null, '', o.message_id,
      ${payload}, 'scheduled', 0, 0, o.due_at, null, o.updated_at
    from outbox as o
    where o.kind = 'message' and o.state = 'unknown' and ${isFirst} order by o.seq`.execute(db)
  await db.schema.dropTable('outbox').execute()
}
