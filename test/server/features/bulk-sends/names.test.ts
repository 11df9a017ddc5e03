import t from 'tap'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('a send has the given name, or else its template and the day in the time zone of the organization', async t => {
  const { ask, create, report } = await stage(t)
  const audience = { numbers: phones(1).join('\n') }
  const named: BulkSend = await create({ audience, name: '  Reparto del martes ' })
  t.equal(named.name, 'Reparto del martes')
  t.equal((await report(named)).name, 'Reparto del martes')
  const unnamed: BulkSend = await create({ audience, name: ' ' })
  t.match(unnamed.name, new RegExp(`^${unnamed.template.name} · \\d+ \\S+ \\d{4}$`))
  const { items } = (await ask<{ items: BulkSend[] }>('GET', '/whatsapp/bulk-sends')).json
  t.same(items.map(({ name }) => name).sort(), [named.name, unnamed.name].sort())
})

t.test('the rate comes with the people written to first today', async t => {
  const { ask } = await stage(t)
  const { json } = await ask<{ perSecond: number; room: unknown }>('GET', '/whatsapp/bulk-pace')
  t.match(json, { perSecond: 20, room: { limit: null, used: 0 } })
})
