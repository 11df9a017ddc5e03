import type { Compilable } from 'kysely'
import t from 'tap'
import { findLive, flowsBefore } from '#server/features/flows/sessions/session-store.ts'
import { freshDatabases } from '#test/helpers/db.ts'

const databases = await freshDatabases()
t.teardown(() => databases.close())
const { read } = databases

const planOf = async (query: Compilable): Promise<string> => {
  const { sql: text, parameters } = query.compile()
  const plan = databases.raw.read.prepare(`explain query plan ${text}`).all(...(parameters as unknown[]))
  return (plan as { detail: string }[]).map(({ detail }) => detail).join('\n')
}

t.test('an address and a repeated call are found by an index', async t => {
  const address = read
    .selectFrom('flow_hook')
    .innerJoin('flow', 'flow.id', 'flow_hook.flow_id')
    .select(['flow_hook.org_id', 'flow_hook.flow_id'])
    .where('flow_hook.secret_hash', '=', 'h')
    .where('flow.deleted_at', 'is', null)
  t.match(await planOf(address), /SEARCH flow_hook USING INDEX flow_hook_secret \(secret_hash=\?\)/)
  t.match(await planOf(address), /SEARCH flow USING INDEX \S+ \(id=\?\)/)
  const repeated = read
    .selectFrom('flow_session')
    .select(['id', 'state'])
    .where('flow_id', '=', 'f')
    .where('client_key', '=', 'k')
    .where('org_id', '=', 'o')
  t.match(
    await planOf(repeated),
    /SEARCH flow_session USING INDEX flow_session_client_key \(flow_id=\? AND client_key=\?\)/,
  )
})

t.test('sessions started by one trigger are found by an index, newest first', async t => {
  const begun = read
    .selectFrom('flow_session')
    .select('id')
    .where('org_id', '=', 'o')
    .where('flow_id', '=', 'f')
    .where('test_id', 'is', null)
    .where('trigger', '=', 't')
    .where('id', '<', 'z')
    .orderBy('id', 'desc')
    .limit(20)
  const plan = await planOf(begun)
  t.match(plan, /USING INDEX flow_session_trigger \(org_id=\? AND flow_id=\? AND trigger=\? AND id<\?\)/)
  t.notMatch(plan, /TEMP B-TREE/)
})

t.test('the earlier flows of a contact are looked up by contact, however many sessions exist', async t => {
  const said: string[] = []
  const prepare = databases.raw.read.prepare.bind(databases.raw.read)
  databases.raw.read.prepare = ((source: string) => {
    if (!source.startsWith('explain')) said.push(source)
    return prepare(source)
  }) as typeof databases.raw.read.prepare
  for (const count of [1, 3, 12]) {
    const contactIds = Array.from({ length: count }, (_, i) => `c${i}`)
    await flowsBefore(read, 'o', contactIds)
    await findLive(read, 'o', contactIds)
  }
  databases.raw.read.prepare = prepare
  t.equal(said.length, 6)
  for (const source of said) {
    const plan = prepare(`explain query plan ${source}`).all(...Array(source.split('?').length - 1).fill('0'))
    const details = (plan as { detail: string }[]).map(({ detail }) => detail).join('\n')
    t.match(details, /SEARCH flow_session USING INDEX \S+ \(org_id=\? AND contact_id=\?\)/, source)
  }
})
