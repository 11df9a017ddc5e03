import t from 'tap'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import failures from '../../../../../locales/en/failures.json' with { type: 'json' }

t.setTimeout(fileTimeoutMs)

t.test('codes with the same meaning are one reason, which links to all its recipients', async t => {
  const { ask, create, backend, later, report } = await stage(t)
  const alike = ['131008', '131009', '135000']
  for (const code of [...alike, '131026'])
    t.equal((await ask('POST', '/sandbox/fail', { code, mode: 'async' })).status, 200)
  const send: BulkSend = await create({
    audience: { numbers: phones(8).join('\n') },
    startIfPlanned: 8,
    limits: { failedPercent: null, optedOutPercent: null },
  })
  for (const ms of [2_000, 60_000, 400_000]) await later(ms)
  const { counts, groups } = await report(send)
  t.equal(counts.failed, 4)
  t.match(
    groups.map(({ count, mayRetry }) => ({ count, mayRetry })),
    [
      { count: 3, mayRetry: false },
      { count: 1, mayRetry: false },
    ],
  )
  t.ok(alike.includes(groups[0]?.reason ?? ''))
  for (const reason of alike) {
    const path = `/whatsapp/bulk-sends/${send.id}/recipients?state=failed&reason=${reason}`
    const { items } = (await ask<{ items: { reason: { code: string } }[] }>('GET', path)).json
    t.same(items.map(one => one.reason.code).sort(), alike, `by ${reason}`)
  }
  const { json } = await ask<{ items: { reason: { message: string } }[] }>(
    'GET',
    `/whatsapp/bulk-sends/${send.id}/recipients?state=failed&reason=131026`,
  )
  t.equal(json.items.length, 1)
  const failed = json.items[0]?.reason.message ?? ''
  t.equal(failed, failures['131026'].replace('{{- textSaved}}', ''), 'nobody typed a template')
  t.ok(groups.some(({ message }) => message === failed))
  t.same(backend.errors(), [])
})
