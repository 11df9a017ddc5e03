/** Bulk send drafts: who owns them, concurrent edits, and what is deleted with them. */
import t, { type Test } from 'tap'
import { bulkDraftLimits } from '#shared/bulk-sends/drafts.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { aBulkDraft } from '#test/helpers/bulk-drafts.ts'

const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const owner = await aMember({ databases: backend.databases, orgName: 'Panadería' })
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    { cookie }: AMember = owner,
  ) => {
    const reply = await backend.inject({
      method,
      url: `/api/whatsapp${path}`,
      headers: { cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  const colleague = (role: 'admin' | 'member') => aMember({ databases: backend.databases, org: owner.org, role })
  const begin = async (steps = aBulkDraft(), who?: AMember): Promise<string> =>
    (await call('POST', '/bulk-drafts', { steps }, who)).body.id
  return { backend, owner, call, colleague, begin }
}

t.test('a draft is loaded again as it was saved', async t => {
  const { call, begin } = await stage(t)
  const steps = {
    ...aBulkDraft({ numbers: '11 5555-0101\n11 5555-01', text: 'Ana' }),
    name: ' Navidad ',
    template: { id: 't1', name: 'pedido_listo', language: 'es_AR' },
  }
  const id = await begin(steps)
  const facts = {
    id,
    revision: 1,
    name: 'Navidad',
    template: { name: 'pedido_listo' },
    hasAudience: true,
    audience: ['numbers'],
    savedBy: 'Ana Prueba',
  }
  t.match((await call('GET', '/bulk-drafts')).body, { items: [facts] })
  t.match((await call('GET', `/bulk-drafts/${id}`)).body, { ...facts, steps })
  const saved = await call('PUT', `/bulk-drafts/${id}`, { revision: 1, steps: aBulkDraft() })
  t.match(saved, { status: 200, body: { revision: 2, name: null, template: null, hasAudience: false, audience: [] } })
  t.equal((await call('DELETE', `/bulk-drafts/${id}`)).status, 200)
  t.same((await call('GET', '/bulk-drafts')).body.items, [])
  t.equal((await call('GET', `/bulk-drafts/${id}`)).status, 404)
  t.equal((await call('PUT', `/bulk-drafts/${id}`, { revision: 2, steps })).status, 404)
})

t.test('of two concurrent editors the second is told, and no change of the first is lost', async t => {
  const { call, begin, colleague } = await stage(t)
  const admin = await colleague('admin')
  const id = await begin()
  const first = aBulkDraft({ numbers: '11 5555-0101' })
  t.equal((await call('PUT', `/bulk-drafts/${id}`, { revision: 1, steps: first }, admin)).status, 200)
  t.match(await call('PUT', `/bulk-drafts/${id}`, { revision: 1, steps: aBulkDraft() }), {
    status: 409,
    body: { code: 'BULK_SENDS_DRAFT_STALE' },
  })
  t.match((await call('GET', `/bulk-drafts/${id}`)).body, { revision: 2, savedBy: admin.user.name, steps: first })
})

t.test('members see their own drafts, owners and administrators see all', async t => {
  const { call, begin, colleague } = await stage(t)
  const [admin, member] = [await colleague('admin'), await colleague('member')]
  const [theirs, mine] = [await begin(aBulkDraft(), member), await begin()]
  const listed = async (who: AMember) =>
    (await call('GET', '/bulk-drafts', undefined, who)).body.items.map((item: { id: string }) => item.id).sort()
  t.same(await listed(member), [theirs])
  t.same(await listed(admin), [theirs, mine].sort())
  t.equal((await call('GET', `/bulk-drafts/${mine}`, undefined, member)).status, 404)
  t.equal((await call('DELETE', `/bulk-drafts/${mine}`, undefined, member)).status, 404)
  t.equal((await call('GET', `/bulk-drafts/${mine}`, undefined, admin)).status, 200)
})

t.test('the number of drafts per member is limited, and an invalid draft is refused by its field', async t => {
  const { call, begin } = await stage(t)
  for (let i = 0; i < bulkDraftLimits.ofPerson; i += 1) await begin()
  t.match(await call('POST', '/bulk-drafts', { steps: aBulkDraft() }), {
    status: 409,
    body: { code: 'BULK_SENDS_TOO_MANY_DRAFTS' },
  })
  t.equal((await call('GET', '/bulk-drafts')).body.items.length, bulkDraftLimits.ofPerson)
  const tooLong = aBulkDraft({ numbers: '1'.repeat(bulkDraftLimits.numbersChars + 1) })
  for (const [steps, field] of [
    [tooLong, 'body.steps.audience.numbers'],
    [{ ...aBulkDraft(), care: {} }, 'body.steps.care'],
    [{ ...aBulkDraft(), sources: { a: { from: 'nowhere' } } }, 'body.steps.sources'],
  ] as const) {
    const { status, body } = await call('POST', '/bulk-drafts', { steps })
    t.equal(status, 400)
    t.ok(body.details[0].field.startsWith(field), body.details[0].field)
  }
})
