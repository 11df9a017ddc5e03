/** Header files are deleted once nothing uses them. */
import t, { type Test } from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import { aBulkStage, phones } from '#test/helpers/bulk-stage.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const png = Buffer.from(pixel, 'base64')
const hourMs = 3_600_000

const fileStage = async (t: Test) => {
  const all = await aBulkStage(t)
  const { backend, owner, ask, later } = all
  const upload = async () => {
    const reply = await backend.inject({
      method: 'POST',
      url: '/api/whatsapp/template/media?name=foto.png',
      headers: { cookie: owner.cookie, 'content-type': 'application/octet-stream' },
      payload: png,
    })
    return reply.json().handle as string
  }
  const body = { type: 'BODY', text: 'Hay medialunas recién hechas, te guardamos las tuyas.' }
  const approved = async (file: string) => {
    const components = [{ type: 'HEADER', format: 'IMAGE' }, body]
    const template = { name: `oferta_${newId()}`, language: 'es_AR', category: 'UTILITY', components }
    const { json } = await ask<{ id: string }>('POST', '/whatsapp/template', { template, file })
    await later(60_000)
    await ask('POST', `/sandbox/template/${json.id}`, { status: 'APPROVED' })
    await backend.settle()
    await ask('POST', '/whatsapp/template/sync')
    return json.id
  }
  const kept = async () => {
    const rows = await backend.databases.read
      .selectFrom('template_media')
      .select(['id', 'brought_by'])
      .orderBy('id')
      .execute()
    return rows.map(({ id }) => `media:${id}`)
  }
  const prune = () => backend.parts.unusedFiles.prune(backend.clock.now())
  const { clock, databases } = backend
  return { ...all, clock, databases, upload, approved, kept, prune }
}

t.test(
  'an unreferenced file is deleted after a day, from the disk as well, and its record names the uploader',
  async t => {
    const { backend, owner, upload, kept, prune, clock } = await fileStage(t)
    const handle = await upload()
    const row = await backend.databases.read.selectFrom('template_media').selectAll().executeTakeFirstOrThrow()
    t.equal(row.brought_by, owner.user.id)
    clock.advance(23 * hourMs)
    t.equal(await prune(), 0)
    t.same(await kept(), [handle])
    clock.advance(2 * hourMs)
    t.equal(await prune(), 1)
    t.same(await kept(), [])
    await backend.settle()
    t.equal(await backend.parts.templateFiles.read(row), undefined)
    t.same(backend.errors(), [])
  },
)

t.test('a file stays as long as a template, a draft, a flow or a message refers to it', async t => {
  const { ask, owner, upload, approved, kept, prune, later, clock, databases } = await fileStage(t)
  const [ofTemplate, ofDraft, ofFlow, sent] = [await upload(), await upload(), await upload(), await upload()]
  const template = await approved(ofTemplate)
  const unnamed = await upload()
  const saved = { saver_name: 'Ana', author_name: 'Ana', summary: '{}', people: '{}', saved_at: '' }
  await databases.write
    .insertInto('bulk_draft')
    .values({
      ...saved,
      id: newId(),
      org_id: owner.org.id,
      creator_id: owner.user.id,
      revision: 1,
      steps: JSON.stringify({ sources: { image: ofDraft } }),
    })
    .execute()
  const { name } = await databases.read.selectFrom('template').select('name').executeTakeFirstOrThrow()
  const graph = {
    nodes: [
      { id: 'start', type: 'start', position: { x: 0, y: 0 }, data: {} },
      {
        id: 't',
        type: 'template',
        position: { x: 0, y: 90 },
        data: { template: name, language: 'es_AR', values: { 'header.media': ofFlow } },
      },
    ],
    edges: [{ id: 'e', source: 'start', sourceHandle: 'next', target: 't' }],
  }
  const flow = await ask('POST', '/whatsapp/flows', { name: 'Oferta', triggers: [], graph })
  t.equal(flow.status, 201, JSON.stringify(flow.json))
  const one = { phones: phones(1), template, bodyExample: [], image: sent }
  t.equal((await ask('POST', '/whatsapp/messages_template', one)).status, 202)
  for (let i = 0; i < 5; i += 1) await later(10_000)
  const named = [ofTemplate, ofDraft, ofFlow, sent]
  for (let day = 0; day < 3; day += 1) {
    clock.advance(25 * hourMs)
    await prune()
  }
  t.same(await kept(), named.sort())
  t.notOk((await kept()).includes(unnamed))
})

t.test('a file that only messages use is deleted with them: by age, and with the erased person', async t => {
  const { ask, backend, owner, upload, approved, kept, prune, later, clock, databases } = await fileStage(t)
  const [own, toOne, toTwo, old] = [await upload(), await upload(), await upload(), await upload()]
  const template = await approved(own)
  const send = async (image: string, people: string[]) => {
    const one = { phones: people, template, bodyExample: [], image }
    t.equal((await ask('POST', '/whatsapp/messages_template', one)).status, 202)
    for (let i = 0; i < 5; i += 1) await later(10_000)
  }
  const [ana = '', luis = ''] = phones(2)
  await send(toOne, [ana])
  await send(toTwo, [ana, luis])
  await send(old, [luis])
  const facts = await databases.read.selectFrom('template_media').select(['id', 'sent_in']).execute()
  const sentIn = new Map(facts.map(row => [`media:${row.id}`, row.sent_in]))
  t.equal(sentIn.get(toTwo), '')
  t.ok(sentIn.get(toOne))
  // The recipe of the bulk send refers to the file; without it only messages do.
  await databases.write.updateTable('bulk_send').set({ recipe: null }).execute()

  const confirm = { reason: 'asked', confirm: ana }
  const erased = await ask('POST', `/whatsapp/conversations/${ana}/erasure`, confirm)
  t.ok(erased.status < 300, JSON.stringify(erased.json))
  for (let i = 0; i < 20; i += 1) await later(1_000)
  t.same(await kept(), [own, toTwo, old].sort())

  clock.advance(200 * 24 * hourMs)
  await prune()
  t.same(await kept(), [own, toTwo, old].sort(), 'for ever, until an owner says so')
  await databases.write
    .insertInto('org_settings')
    .values({
      org_id: owner.org.id,
      time_zone: null,
      language: null,
      country: null,
      retention_months: 3,
      updated_at: '',
    })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet({ retention_months: 3 }))
    .execute()
  clock.advance(25 * hourMs)
  await prune()
  t.same(await kept(), [own])
  t.same(backend.errors(), [])
})

t.test('the files of a column stay for a bulk send that starts days later', async t => {
  const { ask, backend, create, upload, approved, kept, prune, later, clock } = await fileStage(t)
  const own = await upload()
  const template = await approved(own)
  const [toOne, toTwo] = [await upload(), await upload()]
  const loose = await upload()
  const [one = '', two = ''] = phones(2)
  const startAt = new Date(clock.now().getTime() + 72 * hourMs).toISOString()
  const text = `telefono,foto\n${one},${toOne}\n${two},${toTwo}`
  await create({
    ...{ template, audience: { csv: { text } }, startIfPlanned: 2, startAt },
    values: { file: { from: 'column', text: 'foto' } },
  })
  await backend.settle()
  for (let day = 0; day < 2; day += 1) {
    clock.advance(25 * hourMs)
    await prune()
    for (const handle of [toOne, toTwo]) t.ok((await kept()).includes(handle), `day ${day}`)
  }
  await later(23 * hourMs)
  for (let i = 0; i < 5; i += 1) await later(10_000)
  const { status, json } = await ask<{ items: { state: string }[] }>('GET', '/whatsapp/bulk-sends')
  t.match({ status, json }, { status: 200, json: { items: [{ state: 'completed', counts: { omitted: 0 } }] } })
  clock.advance(25 * hourMs)
  await prune()
  t.same(await kept(), [own, toOne, toTwo].sort(), 'messages carry them; the other one goes')
  t.notOk((await kept()).includes(loose))
  t.same(backend.errors(), [])
})

t.test('a bulk send that is never started keeps only its own files', async t => {
  const { ask, backend, create, upload, approved, kept, prune, clock } = await fileStage(t)
  const own = await upload()
  const template = await approved(own)
  const [toOne, toTwo, ofAll] = [await upload(), await upload(), await upload()]
  const [one = '', two = ''] = phones(2)
  const text = `telefono,foto\n${one},${toOne}\n${two},${toTwo}`
  await create({ template, audience: { csv: { text } }, values: { file: { from: 'column', text: 'foto' } } })
  await create({ template, audience: { numbers: one }, values: { image: ofAll } })
  await backend.settle()
  const loose = await upload()
  const states = await ask<{ items: { state: string }[] }>('GET', '/whatsapp/bulk-sends')
  t.same(
    states.json.items.map(({ state }) => state),
    ['ready', 'ready'],
  )
  const ofSends = [own, toOne, toTwo, ofAll].sort()

  await backend.databases.write.updateTable('bulk_send').set({ state: 'preparing' }).execute()
  clock.advance(25 * hourMs)
  t.equal(await prune(), 0, 'names in cells are read first')
  await backend.databases.write.updateTable('bulk_send').set({ state: 'ready' }).execute()
  t.equal(await prune(), 1)
  t.same(await kept(), ofSends)
  t.notOk((await kept()).includes(loose))

  for (const { id } of await backend.databases.read.selectFrom('bulk_send').select('id').execute())
    t.ok((await ask('POST', `/whatsapp/bulk-sends/${id}/cancel`)).status < 300)
  clock.advance(25 * hourMs)
  await prune()
  t.same(await kept(), [own, ofAll].sort(), 'what it could be repeated from')
  t.same(backend.errors(), [])
})

t.test('a message that waits for a retry keeps its file', async t => {
  const { ask, owner, upload, approved, kept, prune, later, clock, databases } = await fileStage(t)
  const [own, waiting, left] = [await upload(), await upload(), await upload()]
  const template = await approved(own)
  for (const image of [waiting, left]) {
    const one = { phones: phones(1), template, bodyExample: [], image }
    t.equal((await ask('POST', '/whatsapp/messages_template', one)).status, 202)
  }
  for (let i = 0; i < 5; i += 1) await later(10_000)
  await databases.write.updateTable('bulk_send').set({ recipe: null }).execute()
  await databases.write.updateTable('template_media').set({ sent_at: null }).execute()
  const { id } = await databases.read
    .selectFrom('message')
    .select('id')
    .where('outbound', 'like', `%${waiting}%`)
    .executeTakeFirstOrThrow()
  await databases.write.deleteFrom('job').where('kind', '=', 'outbox.message').execute()
  const keys = { queue: 'outbox.message', pace_key: '', unique_key: id, payload: JSON.stringify({ messageId: id }) }
  await databases.write
    .insertInto('job')
    .values({
      ...keys,
      org_id: owner.org.id,
      kind: 'outbox.message',
      lane: 1,
      state: 'parked',
      blocked: 0,
      attempts: 1,
      due_at: '',
      added_at: '',
    } as never)
    .execute()
  clock.advance(25 * hourMs)
  t.equal(await prune(), 1)
  t.same(await kept(), [own, waiting].sort())
})
