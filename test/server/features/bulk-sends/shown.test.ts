/** The filters of the pages: sends by state, recipients by outcome. */
import t from 'tap'
import { countSends } from '#server/features/bulk-sends/reports/list-store.ts'
import type { BulkRecipient, BulkSend } from '#shared/bulk-sends/sends.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('the list is filtered by groups of states', async t => {
  const { ask, create, backend } = await stage(t)
  const made: Record<string, BulkSend> = {}
  for (const [i, name] of ['over', 'ready', 'scheduled', 'paused'].entries())
    made[name] = await create({
      audience: { numbers: phones(1, i).join('\n') },
      ...(name === 'over' ? { startIfPlanned: 1 } : {}),
      ...(name === 'scheduled' ? { startIfPlanned: 1, startAt: '2027-01-01T10:00:00Z' } : {}),
    })
  for (let i = 0; i < 5; i += 1) await backend.settle()
  const { write } = backend.databases
  await write
    .updateTable('bulk_send')
    .set({ state: 'completed' })
    .where('id', '=', made.over?.id ?? '')
    .execute()
  await write
    .updateTable('bulk_send')
    .set({ state: 'paused' })
    .where('id', '=', made.paused?.id ?? '')
    .execute()
  const of = async (query: string) => {
    const { status, json } = await ask<{ items: BulkSend[] }>('GET', `/whatsapp/bulk-sends${query}`)
    return status === 200 ? json.items.map(({ id }) => id) : status
  }
  t.same(await of('?group=over'), [made.over?.id])
  t.same(await of('?group=scheduled'), [made.scheduled?.id])
  // Both were created at the same time of the test clock.
  t.same(new Set((await of('?group=attention')) as string[]), new Set([made.paused?.id, made.ready?.id]))
  t.same(await of('?group=running'), [])
  t.equal(((await of('')) as string[]).length, 4)
  t.equal(await of('?group=whatever'), 400)
  const { json: counts } = await ask('GET', '/whatsapp/bulk-sends/counts')
  t.same(counts, { all: 4, running: 0, attention: 2, scheduled: 1, over: 1 })
  const { org_id: orgId } = await backend.databases.read
    .selectFrom('bulk_send')
    .select('org_id')
    .executeTakeFirstOrThrow()
  t.same([...(await countSends(backend.databases.read, orgId, 'somebody else'))], [], 'of nobody else')
})

t.test('recipients are filtered by outcome, in the order of the plan', async t => {
  const { ask, create, backend } = await stage(t)
  const numbers = [...phones(2), 'Ana', phones(1)[0], '4711', ...phones(1, 5), 'x']
  const send = await create({ audience: { numbers: numbers.join('\n') } })
  await backend.settle()
  const of = async (query: string) => {
    const path = `/whatsapp/bulk-sends/${send.id}/recipients${query}`
    const { status, json } = await ask<{ items: BulkRecipient[]; details?: { field: string }[] }>('GET', path)
    return status === 200 ? json.items.map(({ given }) => given) : json.details?.map(({ field }) => field)
  }
  t.same(await of('?state=omitted&reason=invalidNumber'), ['Ana', '4711', 'x'])
  t.same(await of('?state=omitted&reason=duplicate'), [phones(1)[0]])
  t.same(await of('?state=omitted&reason=whatever'), [])
  t.same(await of('?reason=duplicate'), ['query.state'])
})
