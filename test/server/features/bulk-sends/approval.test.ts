/** Large bulk sends that a second person has to approve. */
import t, { type Test } from 'tap'
import type { BulkSend, BulkSendReport } from '#shared/bulk-sends/sends.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'
import { aMember } from '#test/helpers/actors.ts'
import { aBulkStage, phones } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const stage = async (t: Test) => {
  const staged = await aBulkStage(t)
  const { backend, owner, askAs, id } = staged
  const { databases } = backend
  const set = async (bulkApprovalFrom: number | null) => {
    const reply = await backend.inject({
      method: 'PATCH',
      url: '/api/organization/settings',
      headers: { cookie: owner.cookie },
      payload: { bulkApprovalFrom },
    })
    return reply.statusCode
  }
  t.equal(await set(5), 200)
  const asMember = async (role: OrgRole, name: string) => {
    const member = await aMember({ databases, org: owner.org, role, name })
    const ask = askAs(member.cookie)
    const notices = async () => (await ask<{ title: string; message: string }[]>('GET', '/notify')).json
    return { ask, notices, member }
  }
  const create = async (by: Awaited<ReturnType<typeof asMember>>, count: number, more: object = {}) => {
    const { status, json } = await by.ask<BulkSend>('POST', '/whatsapp/bulk-sends', {
      template: id,
      audience: { numbers: phones(count).join('\n') },
      startIfPlanned: count,
      ...more,
    })
    t.equal(status, 202, JSON.stringify(json))
    await backend.settle()
    return json
  }
  return { ...staged, set, asMember, create }
}

t.test('a large send waits for somebody else, who is told; then it does what its creator asked', async t => {
  const { asMember, create, report, ask, later, taken, owner } = await stage(t)
  const ana = await asMember('admin', 'Ana')
  const beto = await asMember('admin', 'Beto')
  const small = await create(ana, 4)
  t.match(await report(small), { state: 'completed', approval: null })
  const send = await create(ana, 5)
  t.match(await report(send), { state: 'ready', approval: { state: 'needed', by: null }, createdBy: 'Ana' })
  t.match(await beto.notices(), [{ message: /Ana wants to send .* to 5 people/ }])
  t.notMatch(JSON.stringify(await ana.notices()), /approv/)
  for (const step of ['start', 'resume'])
    t.equal((await ana.ask('POST', `/whatsapp/bulk-sends/${send.id}/${step}`)).status, 409, step)
  const ahead = { startAt: new Date(Date.now() + 86_400_000).toISOString() }
  t.match(await ana.ask('POST', `/whatsapp/bulk-sends/${send.id}/schedule`, ahead), {
    status: 409,
    json: { code: 'BULK_SENDS_APPROVAL_NEEDED' },
  })
  t.match(await ana.ask('POST', `/whatsapp/bulk-sends/${send.id}/approve`), {
    status: 403,
    json: { code: 'BULK_SENDS_APPROVAL_OF_OWN' },
  })
  await later(60_000)
  t.equal((await taken()).length, 4, 'the small send alone')
  const approved = await beto.ask<BulkSend>('POST', `/whatsapp/bulk-sends/${send.id}/approve`)
  t.match(approved, { status: 200, json: { state: 'running', approval: { state: 'given', by: 'Beto' } } })
  await later(60_000)
  t.equal((await taken()).length, 5)
  t.match(await ana.notices(), [{ message: /was sent to 5 people/ }, { message: /Beto approved/ }])
  t.equal((await ask('POST', `/whatsapp/bulk-sends/${send.id}/approve`)).status, 409, 'once')
  const { json } = await ask<{ items: { action: string; actor: { name: string } }[] }>('GET', '/organization/audit')
  t.ok(
    json.items.some(({ action }) => action === 'bulkApproved'),
    owner.org.id,
  )
})

t.test('a time that its creator chose counts from the approval; without a start it waits to be started', async t => {
  const { asMember, create, report, ask, backend, later } = await stage(t)
  const ana = await asMember('admin', 'Ana')
  const startAt = new Date(backend.clock.now().getTime() + 3_600_000).toISOString()
  const timed = await create(ana, 6, { startAt })
  t.match(await report(timed), { state: 'ready', startsAt: startAt })
  t.match((await ask<BulkSend>('POST', `/whatsapp/bulk-sends/${timed.id}/approve`)).json, { state: 'scheduled' })
  const late = await create(ana, 6, { startAt })
  const waiting = await create(ana, 6, { startIfPlanned: undefined })
  await later(3_700_000)
  t.equal((await report(timed)).state, 'completed')
  t.equal((await report(late)).state, 'ready', 'nobody approved it before its time')
  t.match((await ask<BulkSend>('POST', `/whatsapp/bulk-sends/${late.id}/approve`)).json, { state: 'running' })
  t.match((await ask<BulkSend>('POST', `/whatsapp/bulk-sends/${waiting.id}/approve`)).json, { state: 'ready' })
  t.match((await ana.ask<BulkSend>('POST', `/whatsapp/bulk-sends/${waiting.id}/start`)).json, { state: 'running' })
})

t.test('neither a program, nor another organization, nor the number of people goes around it', async t => {
  const { asMember, create, report, set, backend, askAs, owner, ask } = await stage(t)
  const ana = await asMember('admin', 'Ana')
  const send = await create(ana, 5)
  const stranger = askAs((await aMember({ databases: backend.databases, orgName: 'Otra' })).cookie)
  t.equal((await stranger('POST', `/whatsapp/bulk-sends/${send.id}/approve`)).status, 404)
  const viewer = await asMember('viewer', 'Vera')
  t.equal((await viewer.ask('POST', `/whatsapp/bulk-sends/${send.id}/approve`)).status, 403)
  t.equal(await set(null), 200)
  t.match(
    await ana.ask('POST', `/whatsapp/bulk-sends/${send.id}/start`),
    { status: 409 },
    'it was asked under the rule',
  )
  t.match((await ask<BulkSend>('POST', `/whatsapp/bulk-sends/${send.id}/cancel`)).json, { state: 'cancelled' })
  t.equal((await ask('POST', `/whatsapp/bulk-sends/${send.id}/approve`)).status, 409)
  t.equal(((await report(await create(ana, 8))) as BulkSendReport).state, 'completed')
  for (const bad of [0, -1, 1.5, 10_000_000]) t.equal(await set(bad), 400, `${bad}`)
  t.same(backend.errors(), [], owner.org.slug)
})
