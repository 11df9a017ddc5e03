import t from 'tap'
import { countSlice } from '#server/features/stats/cost/counting.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('a send that has ended costs what its delivered messages cost in the statistics', async t => {
  const { ask, create, backend, later, report } = await stage(t)
  const { databases } = backend
  const rates = [{ country: 'AR', prices: { UTILITY: 0.03 } }]
  const card = { currency: 'USD', validFrom: '2026-01-01', rates }
  t.equal((await ask('PUT' as 'POST', '/whatsapp/rate-card', card)).status, 200)
  t.equal((await ask('POST', '/sandbox/fail', { code: '131026', mode: 'async' })).status, 200)
  const send = await create({
    audience: { numbers: phones(4).join('\n') },
    startIfPlanned: 4,
    limits: { failedPercent: null, optedOutPercent: null },
  })
  t.match(await report(send), { billed: null }, 'it has not ended')
  for (const ms of [2_000, 60_000, 400_000]) await later(ms)
  for (let found = 'slice'; found !== 'nothing'; )
    ({ found } = await inTransaction(databases, trx =>
      countSlice(trx, { readTimeZone: async () => defaultTimeZone }, { messages: 100, due: 100 }),
    ))
  const { state, counts, billed, cost } = await report(send)
  t.equal(state, 'completed')
  t.equal(counts.failed, 1)
  t.match(cost, { amount: 0.12 })
  t.match(billed, { delivered: 3, billed: 3, free: 0, unpriced: 0, amounts: [{ amount: 0.09, currency: 'USD' }] })
  const days = await databases.read.selectFrom('sent_day').select('delivered').where('source', '=', 'bulk').execute()
  t.equal(
    days.reduce((sum, { delivered }) => sum + Number(delivered), 0),
    3,
    'the statistics count the same',
  )

  const { place } = await databases.read
    .selectFrom('bulk_recipient as r')
    .innerJoin('sent_message as m', 'm.message_id', 'r.id')
    .select('r.place')
    .where('m.state', '=', 'delivered')
    .executeTakeFirstOrThrow()
  await databases.write.updateTable('bulk_recipient').set({ place: 7_001 }).where('place', '=', place).execute()
  t.same((await report(send)).billed, billed, 'recipients are read some thousands at a time, and all of them')
  t.same(backend.errors(), [])
})
