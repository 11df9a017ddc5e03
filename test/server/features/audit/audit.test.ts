import t from 'tap'
import { auditKeptDays } from '#shared/audit/api.ts'
import { aMember } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { startBackend } from '#test/helpers/backend.ts'

const backend = await startBackend(t)
const { databases } = backend
const owner = await aMember({ databases, name: 'Olga' })
const mate = await aMember({ databases, org: owner.org, role: 'member', name: 'Beto' })
const device = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const headers = { cookie: owner.cookie, 'x-organization': owner.org.id, 'user-agent': device }

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const ask = (method: Method, path: string, body?: object, as: Record<string, string> = headers) =>
  backend.inject({ method, url: `/api${path}`, headers: as, ...(body ? { payload: body } : {}) })
const entries = async (query = '') => (await ask('GET', `/organization/audit${query}`)).json().items

t.test('an entry has actor, origin and target, and the values before and after', async t => {
  const made = await ask('PATCH', '/organization/settings', { timeZone: 'America/Bogota' })
  t.equal(made.statusCode, 200)
  const [entry] = await entries()
  t.match(entry, {
    action: 'settingsChanged',
    who: { kind: 'person', id: owner.user.id, name: 'Olga', actedAs: false },
    browser: 'Firefox',
    system: 'Linux',
    address: '127.0.0.1',
    changes: [{ fact: 'timeZone', before: null, after: 'America/Bogota' }],
    isDone: true,
  })
})

t.test('changes to members, teams, invitations and keys are recorded; refused calls are not', async t => {
  const changed = await ask('POST', '/auth/organization/update-member-role', {
    memberId: (
      await databases.read
        .selectFrom('member')
        .select('id')
        .where('userId', '=', mate.user.id)
        .executeTakeFirstOrThrow()
    ).id,
    role: 'admin',
    organizationId: owner.org.id,
  })
  t.equal(changed.statusCode, 200, changed.body)
  t.match((await entries())[0], {
    kind: 'members',
    action: 'roleChanged',
    subject: mate.user.email,
    changes: [{ fact: 'role', before: 'member', after: 'admin' }],
  })
  const organizationId = owner.org.id
  t.equal((await ask('POST', '/auth/organization/create-team', { name: 'Ventas', organizationId })).statusCode, 200)
  const [team] = await entries('?kind=teams')
  t.match(team, {
    action: 'teamCreated',
    subject: 'Ventas',
    changes: [{ fact: 'name', before: null, after: 'Ventas' }],
  })
  const invited = { email: 'nueva@example.com', role: 'viewer', organizationId }
  t.equal((await ask('POST', '/auth/organization/invite-member', invited)).statusCode, 200)
  t.match((await entries('?kind=invitations'))[0], { action: 'invited', subject: 'nueva@example.com', isDone: true })

  const count = (await entries()).length
  const refused = await ask('POST', '/auth/organization/remove-member', {
    memberIdOrEmail: owner.user.email,
    organizationId,
  })
  t.ok(refused.statusCode >= 400 && refused.statusCode < 500, 'the last owner stays')
  t.equal((await ask('PATCH', '/organization/settings', { timeZone: 'Nowhere/Else' })).statusCode, 400)
  t.equal((await entries()).length, count)
})

t.test('no entry contains a secret', async t => {
  const { key } = await aKey(backend.app, owner.cookie)
  const [entry] = await entries('?kind=keys')
  t.match(entry, { action: 'keyCreated', who: { name: 'Olga' }, isDone: true })
  t.notOk(JSON.stringify(await databases.read.selectFrom('audit_entry').selectAll().execute()).includes(key))
})

t.test('a call interrupted by a crash stays as unconfirmed; a failed one is marked as possibly done', async t => {
  const begun = backend.parts.audit.aroundCall(
    {
      name: 'tags.deleteTag',
      caller: owner.member,
      origin: { address: '::1', device: undefined },
      given: { id: 'none' },
    },
    async () => {
      throw new Error('the disk is full')
    },
  )
  await t.rejects(begun, /disk/)
  t.same(await entries('?kind=tags'), [], 'it may still end')
  backend.clock.advance(121_000)
  t.match((await entries('?kind=tags'))[0], { action: 'tagDeleted', isDone: false })
})

t.test('pages follow each other without gaps, filtered by person, kind and time', async t => {
  for (let i = 0; i < 55; i += 1) await ask('PATCH', '/organization/settings', { country: i % 2 ? 'AR' : 'UY' })
  const first = (await ask('GET', '/organization/audit')).json()
  t.equal(first.items.length, 50)
  t.equal(first.hasMore, true)
  const second = (await ask('GET', `/organization/audit?before=${first.items.at(-1).id}`)).json()
  const all = await databases.read.selectFrom('audit_entry').select('id').where('org_id', '=', owner.org.id).execute()
  t.equal(new Set([...first.items, ...second.items].map(({ id }) => id)).size, all.length)
  t.same(await entries(`?person=${mate.user.id}`), [])
  t.same(await entries('?to=2001-01-01T00:00:00.000Z'), [])
  t.equal((await ask('GET', '/organization/audit?from=soon')).statusCode, 400)
})

t.test('the export is one table of all entries, and is itself recorded', async t => {
  const report = (await ask('GET', '/organization/audit/report')).json()
  t.equal(report.next, null)
  const all = await databases.read.selectFrom('audit_entry').select('id').where('org_id', '=', owner.org.id).execute()
  t.equal(report.csv.trim().split('\r\n').length, all.length, 'with the names of the columns, without itself')
  const [written] = await entries('?kind=exports')
  t.match(written, { action: 'auditExported' })
  await ask('GET', `/organization/audit/report?before=${written?.id}`)
  t.equal((await entries('?kind=exports')).length, 2, 'nobody takes a later part along unseen')
})

t.test('an export of the costs is recorded', async t => {
  t.equal((await ask('GET', '/stats/costs/report')).statusCode, 200)
  t.match((await entries('?kind=exports'))[0], { action: 'costsExported', isDone: true })
  await ask('GET', '/stats/costs')
  t.equal(
    (await entries('?kind=exports')).filter((one: { action: string }) => one.action === 'costsExported').length,
    1,
  )
})

t.test('exports of statistics are recorded, and who gets the report by mail', async t => {
  const begun = await ask('POST', '/stats/report', { days: 7 })
  t.equal(begun.statusCode, 202, begun.body)
  const { from, to } = begun.json()
  t.match((await entries('?kind=exports'))[0], { action: 'conversationsExported', subject: `${from} – ${to}` })
  t.equal((await ask('GET', '/stats/blocks/members/report?days=7')).statusCode, 200)
  t.match((await entries('?kind=exports'))[0], { action: 'statsExported', isDone: true })
  t.equal((await ask('GET', '/stats/blocks/cost/report?days=7')).statusCode, 200)
  t.match((await entries('?kind=exports'))[0], { action: 'costsExported', isDone: true })

  const recipients = [{ userId: owner.user.id }]
  t.equal((await ask('PUT', '/stats/mail', { rhythm: 'weekly', recipients })).statusCode, 200)
  t.equal((await ask('PUT', '/stats/mail', { rhythm: 'monthly', recipients: [] })).statusCode, 200)
  const [after, before] = await entries('?kind=organization')
  t.match(before, {
    action: 'statsReportChanged',
    changes: [
      { fact: 'rhythm', before: null, after: 'weekly' },
      { fact: 'recipients', before: null, after: owner.user.email },
    ],
  })
  t.match(after?.changes, [
    { fact: 'rhythm', before: 'weekly', after: 'monthly' },
    { fact: 'recipients', before: owner.user.email, after: null },
  ])
})

t.test('an entry is deleted after its retention period, not before', async t => {
  const at = (days: number) => new Date(backend.clock.now().getTime() + days * 86_400_000)
  t.equal(await backend.parts.audit.prune(at(auditKeptDays - 1)), 0)
  t.ok((await backend.parts.audit.prune(at(auditKeptDays + 1))) > 50)
  t.same(await entries(), [])
})

t.test('a contacts import, a send rate and a profile name their file or number', async t => {
  const seller = await aMember({ databases, orgName: 'Dos números' })
  const as = { cookie: seller.cookie }
  t.equal((await ask('POST', '/whatsapp/connection/sandbox', undefined, as)).statusCode, 200)
  const first = await databases.read
    .selectFrom('wa_connection')
    .selectAll()
    .where('org_id', '=', seller.org.id)
    .executeTakeFirstOrThrow()
  const second = { ...first, id: 'zz-second', phone_number_id: '2', phone: '5491150000002', place: first.place + 1 }
  await databases.write.insertInto('wa_connection').values(second).execute()
  const pace = { org_id: seller.org.id, connection_id: second.id, per_second: 1, slowed_at: first.created_at }
  await databases.write
    .insertInto('bulk_pace')
    .values({ ...pace, set_per_second: 7 })
    .execute()
  const last = async () => (await ask('GET', '/organization/audit', undefined, as)).json().items[0]

  t.equal((await ask('PUT', '/whatsapp/bulk-pace', { perSecond: 40 }, as)).statusCode, 200)
  const perSecond = (before: string | null, after: string) => ({
    action: 'bulkPaceChanged',
    subject: first.phone,
    changes: [{ fact: 'perSecond', before, after }],
  })
  t.match(await last(), perSecond(null, '40'))
  t.equal((await ask('PUT', '/whatsapp/bulk-pace', { perSecond: 30 }, as)).statusCode, 200)
  t.match(await last(), perSecond('40', '30'))

  for (const file of ['enero.csv', 'febrero.csv']) {
    const begun = await ask('POST', '/whatsapp/contact-imports', { text: 'phone\n1155550101', file }, as)
    t.equal(begun.statusCode, 202, begun.body)
    await backend.settle()
    t.match(await last(), { action: 'contactsImported', subject: file })
  }

  const origin = { address: '127.0.0.1', device: undefined }
  const given = { number: `+${second.phone}`, about: 'Pan' }
  const call = { name: 'numberStanding.changeProfile', caller: seller.member, origin, given }
  await backend.parts.audit.aroundCall(call, async () => undefined)
  t.match(await last(), { action: 'profileChanged', subject: second.phone })
})

t.test('templates and flows are separate topics, and the report describes states in words', async t => {
  await ask('POST', '/whatsapp/connection/sandbox')
  const graph = {
    nodes: [
      { id: 's', type: 'start', position: { x: 0, y: 0 }, data: {} },
      { id: 'm', type: 'message', position: { x: 0, y: 90 }, data: { text: 'Hola' } },
      { id: 'f', type: 'end', position: { x: 0, y: 180 }, data: {} },
    ],
    edges: [
      { id: 'e', source: 's', sourceHandle: 'next', target: 'm' },
      { id: 'g', source: 'm', sourceHandle: 'next', target: 'f' },
    ],
  }
  const flow = (
    await ask('POST', '/whatsapp/flows', {
      name: 'Pedidos',
      triggers: [{ id: 'k', kind: 'keyword', match: 'equals', words: ['pedido'] }],
      graph,
    })
  ).json()
  t.match((await entries('?kind=flows'))[0], { action: 'flowCreated', subject: 'Pedidos', kind: 'flows' })
  const live = await ask('POST', `/whatsapp/flows/${flow.id}/publish`, {})
  t.equal(live.statusCode, 200, live.body)
  const published = (await entries('?kind=flows')).find((one: { action: string }) => one.action === 'flowPublished')
  t.match(published, { subject: 'Pedidos' })
  t.same(
    published.changes.find((one: { fact: string }) => one.fact === 'status'),
    { fact: 'status', before: 'draft', after: 'on' },
  )
  const template = {
    name: 'aviso_de_retiro',
    language: 'es_AR',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Tu pedido está listo para retirar por el local.' }],
  }
  const made = await ask('POST', '/whatsapp/template', { template })
  t.equal(made.statusCode, 201, made.body)
  t.match((await entries('?kind=templates'))[0], { action: 'templateCreated', subject: 'aviso_de_retiro (es_AR)' })
  const { csv } = (
    await ask('GET', '/organization/audit/report', undefined, { ...headers, 'accept-language': 'es' })
  ).json()
  t.match(csv, /Estado: borrador → prendido/)
  t.match(csv, /Estado: en revisión/)
  t.notMatch(csv, /PENDING|→ on\b|nada →/)
})
