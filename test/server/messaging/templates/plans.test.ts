import type { Compilable } from 'kysely'
import t from 'tap'
import { selectValues, selectWaitingMessages } from '#server/messaging/templates/files/naming-store.ts'
import { freshDatabases } from '#test/helpers/db.ts'

t.test('contacts without a bulk send yet, and the queue, are read from an index', async t => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const planOf = (query: Compilable) => {
    const { sql, parameters } = query.compile()
    const plan = databases.raw.read.prepare(`explain query plan ${sql}`).all(...(parameters as unknown[]))
    return (plan as { detail: string }[]).map(({ detail }) => detail).join('\n')
  }
  const values = selectValues(databases.read, 'o', { sendId: 's', state: 'planned', after: 7 })
  t.match(
    planOf(values),
    /^SEARCH bulk_recipient USING INDEX bulk_recipient_state \(send_id=\? AND state=\? AND place>\?\)$/,
  )
  const waiting = planOf(selectWaitingMessages(databases.read, 'o', 7))
  t.match(waiting, /SEARCH job USING INDEX job_unfinished \(state=\? AND kind=\?\)/)
  t.match(waiting, /SEARCH message USING INDEX sqlite_autoindex_message_1 \(id=\?\)/)
})
