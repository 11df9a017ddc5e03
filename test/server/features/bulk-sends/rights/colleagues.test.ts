/** Roles limited by contact tags, seen by the sender: which sends of others are visible, and when access ends. */
import t from 'tap'
import type { BulkRecipient, BulkSend } from '#shared/bulk-sends/sends.ts'
import { aMember } from '#test/helpers/actors.ts'
import { aBulkStage, phones } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** Two sales members; the first two numbers are customers, the third has no tag. */
const aStage = async (t: Parameters<typeof aBulkStage>[0]) => {
  const base = await aBulkStage(t)
  const { backend, owner, ask, askAs, id } = base
  const { databases } = backend
  const [first, second, stranger] = phones(3) as [string, string, string]
  for (const from of [first, second, stranger])
    await ask('POST', '/sandbox/inbound', { from, type: 'text', text: 'Hola' })
  await backend.settle()
  const newTag = async (label: string) => (await ask<{ id: string }>('POST', '/whatsapp/tags', { label })).json.id
  const customers = await newTag('Clientes')
  const wholesale = await newTag('Mayoristas')
  const setTags = async (phone: string, ...tags: string[]) => {
    const { id: contactId } = await databases.read
      .selectFrom('contact')
      .select('id')
      .where('org_id', '=', owner.org.id)
      .where('wa_id', '=', phone)
      .executeTakeFirstOrThrow()
    const rows = tags.map(tag_id => ({ contact_id: contactId, tag_id, org_id: owner.org.id }))
    await databases.write.insertInto('contact_tag').values(rows).execute()
  }
  await setTags(first, customers)
  await setTags(second, customers, wholesale)
  const grant = async (tag: string, granted = true) => {
    await ask('POST', '/members/content-permissions', { role: 'member', phoneTagId: tag, granted })
    await backend.settle()
  }
  const members = await Promise.all(['member', 'member'].map(role => aMember({ databases, org: owner.org, role })))
  const [maker, colleague] = members as [(typeof members)[number], (typeof members)[number]]
  const [asMaker, asColleague] = [askAs(maker.cookie), askAs(colleague.cookie)]
  const send = async (call: typeof ask, audience: object, more: object = {}) => {
    const { json } = await call<BulkSend>('POST', '/whatsapp/bulk-sends', { template: id, audience, ...more })
    await backend.settle()
    return json
  }
  const change = async (path: string, payload: object) => {
    const url = `/api/auth/organization/${path}`
    const { statusCode, body } = await backend.inject({
      method: 'POST',
      url,
      headers: { cookie: owner.cookie },
      payload,
    })
    if (statusCode !== 200) throw new Error(body)
    await backend.settle()
  }
  const list = async (call: typeof ask, query = '') =>
    (await call<{ items: BulkSend[] }>('GET', `/whatsapp/bulk-sends${query}`)).json.items.map(one => one.id)
  const stateOf = async ({ id }: { id: string }) => {
    const { state, reason } = (await ask<BulkSend>('GET', `/whatsapp/bulk-sends/${id}`)).json
    return reason ? `${state} ${reason}` : state
  }
  const people = { first, second, stranger }
  return {
    ...base,
    people,
    customers,
    wholesale,
    setTags,
    grant,
    maker,
    colleague,
    asMaker,
    asColleague,
    send,
    change,
    list,
    stateOf,
  }
}

t.test('a colleague with a tag of every recipient sees the send, and no omitted stranger', async t => {
  const { backend, asMaker, asColleague, ask, askAs, owner, people, customers, grant, send, list, later } =
    await aStage(t)
  const { first, second, stranger } = people
  await grant(customers)
  const numbers = [first, second, stranger, 'nadie'].join('\n')
  const own = await send(asMaker, { numbers })
  const path = `/whatsapp/bulk-sends/${own.id}`
  t.same(await list(asColleague), [own.id])
  t.same(await list(asColleague, '?group=attention'), [own.id])
  t.same(await list(asColleague, '?group=running'), [])
  t.match((await asColleague('GET', '/whatsapp/bulk-sends/counts')).json, { all: 1, attention: 1 })
  t.match((await asColleague('GET', path)).json, { counts: { planned: 2, omitted: 2 } })
  const rows = async (call: typeof ask) =>
    (await call<{ items: BulkRecipient[] }>('GET', `${path}/recipients`)).json.items.map(({ given }) => given)
  t.same(await rows(asMaker), [first, second, stranger, 'nadie'])
  t.same(await rows(asColleague), [first, second, '', 'nadie'])
  const csvOf = async (call: typeof ask) => (await call<{ csv: string }>('GET', `${path}/report`)).json.csv
  t.match(await csvOf(asMaker), stranger)
  t.match(await csvOf(asColleague), first)
  t.notMatch(await csvOf(asColleague), stranger)
  const developer = await aMember({ databases: backend.databases, org: owner.org, role: 'developer' })
  t.equal((await askAs(developer.cookie)('GET', path)).status, 403)
  await grant(customers, false)
  t.same(await list(asColleague), [])
  t.match((await asColleague('GET', '/whatsapp/bulk-sends/counts')).json, { all: 0 })
  for (const what of ['', '/recipients', '/report', '/recipe'])
    t.equal((await asColleague('GET', path + what)).status, 404, what)
  t.equal((await asColleague('POST', `${path}/cancel`)).status, 404)
  t.same(await list(asMaker), [own.id], 'who made it sees it still')
  await later(1000)
  t.same(backend.errors(), [])
})

t.test('a send to a contact without a tag of the role is visible only to its creator and to managers', async t => {
  const { ask, asColleague, asMaker, people, customers, wholesale, grant, send, list } = await aStage(t)
  const { first, second, stranger } = people
  await grant(customers)
  const mixed = await send(ask, { numbers: `${first}\n${stranger}` })
  const all = await send(ask, { tags: { ids: [customers], match: 'any' } })
  t.same(await list(asColleague), [all.id], 'of an owner, too')
  t.equal((await asColleague('GET', `/whatsapp/bulk-sends/${mixed.id}`)).status, 404)
  await grant(customers, false)
  await grant(wholesale)
  const narrow = await send(asMaker, { numbers: second })
  t.same(await list(asColleague), [narrow.id])
  t.same(new Set(await list(ask)), new Set([narrow.id, all.id, mixed.id]))
  const again = { template: 'x', audience: { unanswered: { send: mixed.id } } }
  t.equal((await asColleague('POST', '/whatsapp/bulk-sends/plan', again)).status, 400, 'nor as an audience')
})

t.test('progress reaches only those who may open the send: live, in the event log and by notification', async t => {
  const { backend, asColleague, asMaker, ask, askAs, owner, people, customers, grant, send, later } = await aStage(t)
  await grant(customers)
  const developer = askAs((await aMember({ databases: backend.databases, org: owner.org, role: 'developer' })).cookie)
  const heard = async (call: typeof ask) => {
    const { json } = await call<{ items: { data: { id: string } }[] }>('GET', '/whatsapp/events?type=bulkSend')
    return new Set(json.items.map(({ data }) => data.id))
  }
  const { first, stranger } = people
  const shared = await send(asMaker, { numbers: first }, { startIfPlanned: 1 })
  const hidden = await send(ask, { numbers: stranger }, { startIfPlanned: 1 })
  for (let i = 0; i < 3; i += 1) await later(20_000)
  t.same(await heard(asColleague), new Set([shared.id]))
  t.same(await heard(asMaker), new Set([shared.id]))
  t.same(await heard(ask), new Set([shared.id, hidden.id]))
  t.same(await heard(developer), new Set())
  const bell = async (call: typeof ask) =>
    (await call<{ redirect: string }[]>('GET', '/notify')).json.map(({ redirect }) => redirect)
  t.ok((await bell(asMaker)).includes(`/masive/${shared.id}`))
  t.same(
    (await bell(asColleague)).filter(to => to?.startsWith('/masive')),
    [],
  )
  t.notOk((await bell(asMaker)).includes(`/masive/${hidden.id}`))
})

t.test('a message links to its send for those who may open it', async t => {
  const { backend, asColleague, asMaker, people, customers, grant, send, later, ask } = await aStage(t)
  await grant(customers)
  const one = await send(asMaker, { numbers: people.first }, { startIfPlanned: 1 })
  for (let i = 0; i < 3; i += 1) await later(20_000)
  const [recipient] = (await ask<{ items: BulkRecipient[] }>('GET', `/whatsapp/bulk-sends/${one.id}/recipients`)).json
    .items
  const led = async (call: typeof ask) =>
    (await call<{ bulkSend: string | null }>('GET', `/whatsapp/messages/${recipient?.id}/info`)).json.bulkSend
  t.equal(await led(asColleague), one.id)
  await grant(customers, false)
  t.equal(await led(asColleague), null)
  t.same(backend.errors(), [])
})

t.test('a send that has not started is blocked when its creator loses the right, and restored with it', async t => {
  const { asMaker, ask, askAs, people, customers, grant, send, stateOf, backend, later, taken, maker, owner } =
    await aStage(t)
  const admin = await aMember({ databases: backend.databases, org: owner.org, role: 'admin' })
  await grant(customers)
  const { first, second } = people
  const startAt = new Date(backend.clock.now().getTime() + 3_600_000).toISOString()
  const ready = await send(asMaker, { numbers: first })
  const scheduled = await send(asMaker, { numbers: second }, { startIfPlanned: 1, startAt })
  const ofOwner = await send(ask, { numbers: first })
  const states = () => Promise.all([ready, scheduled, ofOwner].map(stateOf))
  t.same(await states(), ['ready', 'scheduled', 'ready'])
  await grant(customers, false)
  t.same(await states(), ['blocked noPermission', 'blocked noPermission', 'ready'])
  const bell = async (call: typeof ask) =>
    (await call<{ redirect: string }[]>('GET', '/notify')).json.map(({ redirect }) => redirect)
  const ofSends = async (call: typeof ask) => new Set((await bell(call)).filter(to => to?.startsWith('/masive')))
  for (const call of [askAs(admin.cookie), asMaker])
    t.same(await ofSends(call), new Set([ready, scheduled].map(({ id }) => `/masive/${id}`)))
  t.same(await ofSends(ask), new Set(), 'who took the right knows it')
  const frames = await backend.databases.read
    .selectFrom('event')
    .select(['data', 'audience'])
    .where('type', '=', 'bulkSend')
    .orderBy('seq', 'desc')
    .limit(2)
    .execute()
  t.ok(frames.every(({ data }) => JSON.parse(data).state === 'blocked'))
  t.ok(frames.every(({ audience }) => audience?.includes(`role:member:${maker.user.id}`)))
  await grant(customers)
  t.same(await states(), ['ready', 'scheduled', 'ready'])
  await later(3_600_000)
  for (let i = 0; i < 3; i += 1) await later(20_000)
  t.same(await states(), ['ready', 'completed', 'ready'])
  t.same(
    (await taken()).map(({ wa_id }) => wa_id),
    [second],
  )
  t.same(backend.errors(), [])
})

t.test('a scheduled send does not start while the right is missing, and waits for a person afterwards', async t => {
  const { asMaker, people, customers, grant, send, stateOf, backend, later, taken } = await aStage(t)
  await grant(customers)
  const startAt = new Date(backend.clock.now().getTime() + 3_600_000).toISOString()
  const one = await send(asMaker, { numbers: people.first }, { startIfPlanned: 1, startAt })
  await grant(customers, false)
  await later(3_700_000)
  t.equal(await stateOf(one), 'blocked noPermission')
  await grant(customers)
  t.equal(await stateOf(one), 'ready')
  await later(3_700_000)
  t.equal(await stateOf(one), 'ready')
  t.same(await taken(), [])
})

t.test('a revoked role, a removed member and a deleted tag have the same effect', async t => {
  const { asMaker, askAs, owner, people, customers, wholesale, grant, send, stateOf, change, maker, backend } =
    await aStage(t)
  const admin = await aMember({ databases: backend.databases, org: owner.org, role: 'admin' })
  await grant(customers)
  await grant(wholesale)
  const one = await send(asMaker, { numbers: people.first })
  const both = await send(asMaker, { numbers: people.second })
  const states = () => Promise.all([one, both].map(stateOf))
  const { id: memberId } = await backend.databases.read
    .selectFrom('member')
    .select('id')
    .where('userId', '=', maker.user.id)
    .where('organizationId', '=', owner.org.id)
    .executeTakeFirstOrThrow()
  const setRole = (role: string) => change('update-member-role', { organizationId: owner.org.id, memberId, role })
  await setRole('viewer')
  t.same(await states(), ['blocked noPermission', 'blocked noPermission'])
  await setRole('member')
  t.same(await states(), ['ready', 'ready'])
  const reply = await backend.inject({
    method: 'DELETE',
    url: `/api/whatsapp/tags/${customers}`,
    headers: { cookie: owner.cookie },
  })
  t.equal(reply.statusCode, 200, reply.body)
  await backend.settle()
  t.same(await states(), ['blocked noPermission', 'ready'], 'one has another tag')
  await setRole('admin')
  t.same(await states(), ['ready', 'ready'], 'who manages sends to everybody')
  await change('remove-member', { organizationId: owner.org.id, memberIdOrEmail: memberId })
  t.same(await states(), ['blocked noPermission', 'blocked noPermission'])
  const bell = (await askAs(admin.cookie)<{ redirect: string }[]>('GET', '/notify')).json
  t.equal(bell.filter(({ redirect }) => redirect === `/masive/${one.id}`).length, 3)
  t.same(backend.errors(), [])
})

t.test('merging a tag into another transfers the rights to its sends', async t => {
  const { asMaker, asColleague, ask, people, customers, wholesale, grant, send, stateOf, backend, list } =
    await aStage(t)
  await grant(customers)
  const one = await send(asMaker, { numbers: people.first })
  await ask('POST', `/whatsapp/tags/${customers}/merge`, { into: wholesale })
  await backend.settle()
  const isGranted = (await asMaker<{ items: { tagId: string }[] }>('GET', '/whatsapp/tags')).json.items.some(
    ({ tagId }) => tagId === wholesale,
  )
  t.equal(await stateOf(one), isGranted ? 'ready' : 'blocked noPermission')
  t.same(await list(asColleague), isGranted ? [one.id] : [])
  await grant(wholesale, true)
  t.equal(await stateOf(one), 'ready')
  t.same(await list(asColleague), [one.id])
  t.same(backend.errors(), [])
})
