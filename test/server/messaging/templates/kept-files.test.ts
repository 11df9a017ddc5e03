/** Headers that show a file stored here: it is copied to WhatsApp once and referred to by that copy. */
import t, { type Test } from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import { aMember } from '#test/helpers/actors.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const png = Buffer.from(pixel, 'base64')
const pdf = Buffer.from('%PDF-1.4\n%%EOF')

const keptStage = async (t: Test) => {
  const all = await stage(t)
  const { backend, owner, ask, later } = all
  const upload = async (bytes: Buffer, name: string) => {
    const reply = await backend.inject({
      method: 'POST',
      url: `/api/whatsapp/template/media?name=${encodeURIComponent(name)}`,
      headers: { cookie: owner.cookie, 'content-type': 'application/octet-stream' },
      payload: bytes,
    })
    return reply.json().handle as string
  }
  const approved = async (components: object[], file?: string) => {
    const template = { name: `oferta_${newId()}`, language: 'es_AR', category: 'UTILITY', components }
    const { json } = await ask<{ id: string }>('POST', '/whatsapp/template', { template, ...(file ? { file } : {}) })
    await later(60_000)
    await ask('POST', `/sandbox/template/${json.id}`, { status: 'APPROVED' })
    await backend.settle()
    await ask('POST', '/whatsapp/template/sync')
    return json.id
  }
  /** The messages sent to the simulated Meta, and its number of files. */
  const sent = async () => {
    const rows = await backend.databases.read
      .selectFrom('sandbox_message')
      .select('body')
      .where('direction', '=', 'out')
      .execute()
    return rows.map(({ body }) => JSON.parse(String(body)).template?.components?.[0]?.parameters?.[0])
  }
  const copies = async () =>
    (await backend.databases.read.selectFrom('uploaded_file').select('sha256').execute()).length
  return { ...all, upload, approved, sent, copies }
}

t.test('members who send or write templates may upload their file; members who only read may not', async t => {
  const { backend, owner, ask } = await stage(t)
  const upload = async (headers: Record<string, string>) =>
    (
      await backend.inject({
        method: 'POST',
        url: '/api/whatsapp/template/media?name=foto.png',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        payload: png,
      })
    ).statusCode
  for (const [role, status] of Object.entries({ member: 201, developer: 201, viewer: 403, billing: 403 })) {
    const { cookie } = await aMember({ databases: backend.databases, org: owner.org, role })
    t.equal(await upload({ cookie }), status, role)
  }
  for (const [scope, status] of Object.entries({
    'chat:reply': 201,
    'template:edit': 201,
    'flow:edit': 201,
    'chat:read': 403,
  })) {
    const { json } = await ask<{ key: string }>('POST', '/auth/api-key/create', { name: scope, scopes: [scope] })
    t.equal(await upload({ 'x-api-key': json.key }), status, scope)
  }
  t.equal((await ask('POST', '/auth/api-key/create', { name: 'x', scopes: ['template:file'] })).status, 400)
})

const body = { type: 'BODY', text: 'Hay medialunas recién hechas, te guardamos las tuyas.' }

t.test('a bulk send shows its template’s file, which is uploaded to WhatsApp once', async t => {
  const { backend, ask, create, report, later, upload, approved, sent, copies } = await keptStage(t)
  const handle = await upload(png, 'foto.png')
  const template = await approved([{ type: 'HEADER', format: 'IMAGE' }, body], handle)
  const people = 30
  const plan = await ask<{ planned: number; previews: { media: object }[] }>('POST', '/whatsapp/bulk-sends/plan', {
    template,
    audience: { numbers: phones(people).join('\n') },
    values: { image: handle },
  })
  t.match(plan, { status: 200, json: { planned: people } })
  t.match(plan.json.previews[0]?.media, { format: 'IMAGE', url: `/api/whatsapp/template/media/${handle.slice(6)}` })
  const send = await create({
    template,
    audience: { numbers: phones(people).join('\n') },
    values: { image: handle },
    startIfPlanned: people,
  })
  for (let i = 0; i < 10; i += 1) await later(5_000)
  t.match(await report(send), { state: 'completed', counts: { planned: 0, failed: 0 } })
  const parameters = await sent()
  t.equal(parameters.length, people)
  t.ok(parameters.every(({ type, image }) => type === 'image' && image.id && image.link === undefined))
  t.equal(new Set(parameters.map(({ image }) => image.id)).size, 1)
  t.equal(await copies(), 1)
  t.same(backend.errors(), [])
})

t.test(
  'a program sends a template with its file, by the handle; a document keeps its name, and another file may replace it',
  async t => {
    const { backend, ask, later, upload, approved, sent } = await keptStage(t)
    const [first, second] = [await upload(pdf, 'menú.pdf'), await upload(Buffer.concat([pdf, pdf]), 'otro menú.pdf')]
    const template = await approved([{ type: 'HEADER', format: 'DOCUMENT' }, body], first)
    for (const [i, image] of [first, second].entries()) {
      const one = { phones: [phones(2)[i]], template, bodyExample: [], image }
      t.equal((await ask('POST', '/whatsapp/messages_template', one)).status, 202)
    }
    for (let i = 0; i < 5; i += 1) await later(10_000)
    const names = (await sent()).map(({ document }) => document.filename).sort()
    t.same(names, ['menú.pdf', 'otro menú.pdf'])
    t.same(backend.errors(), [])
  },
)

t.test('a file of another kind, an unknown one or another organization’s is refused by its field', async t => {
  const { backend, ask, upload, approved, sent } = await keptStage(t)
  const handle = await upload(png, 'foto.png')
  const film = await approved([{ type: 'HEADER', format: 'IMAGE' }, body], handle)
  const document = await upload(pdf, 'menú.pdf')
  const elsewhere = await keptStage(t)
  const foreign = await elsewhere.upload(png, 'ajena.png')
  for (const [image, code] of [
    [document, 'fileKind'],
    ['media:nobody', 'fileUnknown'],
    [foreign, 'fileUnknown'],
  ]) {
    const values = { image }
    const audience = { numbers: phones(2).join('\n') }
    const plan = await ask('POST', '/whatsapp/bulk-sends/plan', { template: film, audience, values })
    t.match(plan, { status: 400, json: { details: [{ field: 'body.values.image', code }] } }, `${image} of many`)
    const one = { phones: [phones(1)[0]], template: film, bodyExample: [], image }
    t.match(await ask('POST', '/whatsapp/messages_template', one), { status: 400 }, `${image} of one`)
  }
  t.match(
    await ask('POST', '/whatsapp/messages_template', {
      phones: phones(1),
      template: film,
      bodyExample: [],
      image: 'file:///etc/passwd',
    }),
    { status: 400, json: { details: [{ field: 'body.image' }] } },
  )
  t.same(await sent(), [])
  t.same(backend.errors(), [])
})
