import t from 'tap'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { aMember } from '#test/helpers/actors.ts'
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
  t.match(unnamed.name, new RegExp(`^${unnamed.template.name} · \\d+ \\S+ \\d{4}, \\d\\d:\\d\\d$`))
  const { items } = (await ask<{ items: BulkSend[] }>('GET', '/whatsapp/bulk-sends')).json
  t.same(items.map(({ name }) => name).sort(), [named.name, unnamed.name].sort())
})

t.test('a plan names who is left out, but nobody whom the caller may not write to', async t => {
  const { backend, ask, askAs, owner, id } = await stage(t)
  const [known = ''] = phones(1)
  await ask('POST', '/sandbox/inbound', { from: known, text: 'Hola', name: 'Lucía Méndez' })
  await backend.settle()
  const member = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  const audience = { numbers: [known, known, '5521'].join('\n') }
  const leftOut = async (call: typeof ask) => {
    const { json } = await call<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', { template: id, audience })
    return new Map(json.omitted.map(({ reason, people }) => [reason, people]))
  }
  const forOwner = await leftOut(ask)
  t.match(forOwner.get('duplicate'), [{ name: 'Lucía Méndez', display: '+54 9 11 5550 1000' }])
  t.same(forOwner.get('invalidNumber'), [{ name: null, display: '5521' }])
  const forMember = await leftOut(askAs(member.cookie))
  t.match(forMember.get('noPermission'), [{ name: null }])
  t.match(forMember.get('duplicate'), [{ name: null }])
})

t.test('the rate comes with the people written to first today', async t => {
  const { ask } = await stage(t)
  const { json } = await ask<{ perSecond: number; room: unknown }>('GET', '/whatsapp/bulk-pace')
  t.match(json, { perSecond: 20, room: { limit: null, used: 0 } })
})
