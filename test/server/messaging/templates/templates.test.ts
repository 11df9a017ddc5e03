import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const body = {
  type: 'BODY',
  text: 'Hola {{1}}, tu torta ya está lista para retirar.',
  example: { body_text: [['Ana']] },
}
const draft = (more: object = {}) => ({
  name: 'torta_lista',
  language: 'es_AR',
  category: 'UTILITY',
  components: [body],
  ...more,
})

const setUp = async (t: Parameters<typeof startBackend>[0], options: { connect?: boolean } = {}) => {
  const backend = await startBackend(t)
  const who = await aMember({ databases: backend.databases })
  const as =
    (person: { cookie: string }) =>
    async (
      method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH',
      path: string,
      payload?: object | Buffer,
      headers = {},
    ) => {
      const reply = await backend.inject({
        method,
        url: `/api${path}`,
        headers: { cookie: person.cookie, 'accept-language': 'es', ...headers },
        ...(payload ? { payload } : {}),
      })
      return { status: reply.statusCode, json: reply.body ? reply.json() : undefined }
    }
  const ask = as(who)
  if (options.connect !== false) await ask('POST', '/whatsapp/connection/sandbox')
  /** Lets the simulator finish its review and delivers its webhooks. */
  const review = async () => {
    backend.clock.advance(60_000)
    await backend.parts.jobs.idle()
    await backend.parts.derive.drain()
  }
  return { backend, who, ask, as, review }
}

t.test('a template is created, reviewed, found by its name, edited and deleted', async t => {
  const { ask, review, backend, who } = await setUp(t)
  const made = await ask('POST', '/whatsapp/template', { template: draft() })
  t.equal(made.status, 201, JSON.stringify(made.json))
  t.match(made.json, {
    name: 'torta_lista',
    status: 'PENDING',
    category: 'UTILITY',
    quality: 'UNKNOWN',
    rejectedReason: null,
  })
  t.match(made.json.id, /^\d+$/, "Meta's id")
  t.equal((await ask('POST', '/whatsapp/template', { template: draft() })).json.code, 'TEMPLATES_EXISTS')
  t.equal(
    (await ask('PUT', `/whatsapp/template/${made.json.id}`, { template: {} })).json.code,
    'TEMPLATES_NOT_EDITABLE',
    'under review',
  )

  await review()
  const found = await ask('GET', '/whatsapp/template/name/torta_lista')
  t.match(found.json, { id: made.json.id, status: 'APPROVED', languages: [{ language: 'es_AR' }] })
  const notices = await ask('GET', '/notify')
  t.match(notices.json, [{ title: 'Plantilla aprobada', message: /torta_lista/ }])

  const fixed = await ask('PUT', `/whatsapp/template/${made.json.id}`, {
    template: { name: 'otra', category: 'MARKETING' },
  })
  t.same(
    fixed.json.details.map((one: { field: string }) => one.field),
    ['body.template.name', 'body.template.category'],
  )
  const components = [{ ...body, text: 'Hola {{1}}, tu torta te espera en el mostrador.' }]
  const changed = await ask('PUT', `/whatsapp/template/${made.json.id}`, { template: { components } })
  t.match(changed.json, { status: 'PENDING', components })
  await review()
  const again = await ask('PUT', `/whatsapp/template/${made.json.id}`, { template: { components: [body] } })
  t.equal(again.json.code, 'TEMPLATES_NOT_EDITABLE', 'once a day')

  t.equal((await ask('DELETE', `/whatsapp/template/${made.json.id}/otra`)).status, 400)
  t.same((await ask('DELETE', `/whatsapp/template/${made.json.id}/torta_lista`)).json.removed, [
    { id: made.json.id, language: 'es_AR' },
  ])
  t.equal((await ask('GET', `/whatsapp/template/${made.json.id}`)).status, 404)
  t.equal((await ask('POST', '/whatsapp/template', { template: draft() })).json.code, 'TEMPLATES_NAME_BLOCKED')
  t.same(backend.errors(), [])
  t.ok(who)
})

t.test(
  'a template that Meta would refuse is not sent, and every error names its field in the caller’s language',
  async t => {
    const { ask, backend } = await setUp(t)
    const reply = await ask('POST', '/whatsapp/template', {
      template: draft({ name: 'Torta', components: [{ type: 'BODY', text: '{{1}}' }] }),
    })
    t.equal(reply.status, 400)
    t.match(reply.json.details, [
      { field: 'body.template.name', code: 'nameCharacters', message: /minúsculas/ },
      { field: 'body.template.components.0.text', code: 'variableAtEdge' },
      { field: 'body.template.components.0.example.body_text.0.0', code: 'exampleRequired', message: /«1»/ },
    ])
    t.equal((await ask('GET', '/whatsapp/template')).json.items.length, 0)
    t.same(backend.errors(), [])
  },
)

t.test('a review can end in rejection, another category or a pause', async t => {
  const { ask, review } = await setUp(t)
  await ask('POST', '/whatsapp/template', { template: draft({ name: 'reject_scam' }) })
  const offer = { ...body, text: 'Hola {{1}}, hoy hay un descuento en todas las tortas del local.' }
  await ask('POST', '/whatsapp/template', { template: draft({ name: 'torta_hoy', components: [offer] }) })
  await review()
  t.match((await ask('GET', '/whatsapp/template/name/reject_scam')).json, {
    status: 'REJECTED',
    rejectedReason: 'SCAM',
  })
  const moved = (await ask('GET', '/whatsapp/template/name/torta_hoy')).json
  t.match(moved, { status: 'APPROVED', category: 'MARKETING', categoryAsked: 'UTILITY' })
  t.equal((await ask('GET', '/whatsapp/template?status=REJECTED')).json.items.length, 1)
  t.equal((await ask('GET', '/whatsapp/template?search=DESCUENTO')).json.items.length, 1)
  t.equal((await ask('GET', '/whatsapp/template?search=%25')).json.items.length, 0)
})

t.test('reading the list imports the samples once, and reading again changes nothing', async t => {
  const { ask } = await setUp(t)
  t.match((await ask('GET', '/whatsapp/template/sync')).json, { state: 'waiting', total: 0, mainLanguage: null })
  const first = await ask('POST', '/whatsapp/template/migrate', {})
  t.match(first.json, { imported: 3, updated: 0, unchanged: 0 })
  t.match((await ask('POST', '/whatsapp/template/migrate', {})).json, {
    imported: 0,
    updated: 0,
    unchanged: 3,
    items: [],
  })
  t.match((await ask('GET', '/whatsapp/template/sync')).json, {
    ...{ state: 'synced', total: 3, byStatus: { APPROVED: 3 } },
    ...{ languages: ['en_US', 'es_AR'], mainLanguage: 'es_AR' },
  })
  t.match((await ask('GET', '/whatsapp/template/name/hello_world')).json, { language: 'en_US', status: 'APPROVED' })
})

t.test('a file is stored, shown to members, uploaded with the template and referred to by it', async t => {
  const { ask, backend, as, review } = await setUp(t)
  const lie = await ask('POST', '/whatsapp/template/media?name=foto.png', Buffer.from('<svg onload=alert(1)>'), {
    'content-type': 'image/png',
  })
  t.match(lie.json, { statusCode: 400, details: [{ code: 'fileKind' }] })
  const form = await ask(
    'POST',
    '/whatsapp/template/media?name=foto.png',
    Buffer.from('--x\r\n\r\n%PDF-1.7\r\n--x--'),
    {
      'content-type': 'multipart/form-data; boundary=x',
    },
  )
  t.equal(form.status, 415, 'a form is not the file')
  t.match(form.json.message, /octet-stream.*\?name=/, 'it names the way out')
  const file = await ask('POST', '/whatsapp/template/media?name=foto.png', png, {
    'content-type': 'application/octet-stream',
  })
  t.match(file, { status: 201, json: { mime: 'image/png', size: png.length, name: 'foto.png' } })
  const header = { type: 'HEADER', format: 'IMAGE' }
  const template = draft({ components: [header, body] })
  t.match((await ask('POST', '/whatsapp/template', { template })).json.details, [{ code: 'fileRequired' }])
  const video = draft({ components: [{ ...header, format: 'VIDEO' }, body] })
  t.match((await ask('POST', '/whatsapp/template', { template: video, file: file.json.handle })).json.details, [
    { code: 'fileKind' },
  ])
  const made = await ask('POST', '/whatsapp/template', { template, file: file.json.handle })
  t.match(made, { status: 201, json: { media: [{ card: null, handle: file.json.handle }] } })
  const inline = await ask('POST', '/whatsapp/template', {
    template: draft({ name: 'otra_torta', components: [header, body] }),
    file: { name: 'a.png', dataBase64: png.toString('base64') },
  })
  t.equal(inline.status, 201, JSON.stringify(inline.json))
  await review()
  await ask('POST', '/whatsapp/template/sync')
  const read = (await ask('GET', `/whatsapp/template/${made.json.id}`)).json
  t.equal(read.components[0].example.header_handle[0], file.json.handle, 'still ours')
  const stranger = await aMember({ databases: backend.databases })
  t.equal((await as(stranger)('GET', `/whatsapp/template/media/${file.json.handle.slice(6)}`)).status, 404)
  const bytes = await backend.inject({
    method: 'GET',
    url: file.json.url,
    headers: { cookie: (await aMember({ databases: backend.databases })).cookie },
  })
  t.equal(bytes.statusCode, 404)
})

t.test('a draft is saved incomplete, edited, and then submitted', async t => {
  const { ask } = await setUp(t)
  const made = await ask('POST', '/whatsapp/template', { template: draft({ components: [] }), draft: true })
  t.match(made, { status: 201, json: { status: 'DRAFT' } })
  t.equal((await ask('PUT', `/whatsapp/template/${made.json.id}`, { template: {} })).status, 400, 'not finished')
  const kept = await ask('PUT', `/whatsapp/template/${made.json.id}`, {
    template: { name: 'torta_dos', components: [body] },
    draft: true,
  })
  t.match(kept.json, { id: made.json.id, name: 'torta_dos', status: 'DRAFT' })
  const sent = await ask('PUT', `/whatsapp/template/${made.json.id}`, { template: {} })
  t.match(sent.json, { name: 'torta_dos', status: 'PENDING' })
  t.equal((await ask('GET', `/whatsapp/template/${made.json.id}`)).status, 404, 'it has the id of Meta now')
  t.equal((await ask('PUT', `/whatsapp/template/${sent.json.id}`, { template: {}, draft: true })).status, 400)
})

t.test('another organization’s templates cannot be read or changed', async t => {
  const { ask, backend, as, review } = await setUp(t)
  const made = await ask('POST', '/whatsapp/template', { template: draft() })
  const other = as(await aMember({ databases: backend.databases, orgName: 'Otra' }))
  await other('POST', '/whatsapp/connection/sandbox')
  const { id } = made.json
  t.equal((await other('GET', `/whatsapp/template/${id}`)).status, 404)
  t.equal((await other('GET', '/whatsapp/template/name/torta_lista')).status, 404)
  t.equal((await other('PUT', `/whatsapp/template/${id}`, { template: {} })).status, 404)
  t.equal((await other('DELETE', `/whatsapp/template/${id}/torta_lista`)).status, 404)
  t.match((await other('POST', '/whatsapp/template/migrate', { ids: [id] })).json.items, [
    { result: 'failed', name: '' },
  ])
  t.equal((await other('POST', '/whatsapp/template', { template: draft() })).status, 201, 'the same name there')
  await review()
  const { items } = (await ask('GET', '/whatsapp/template')).json
  t.equal(items.filter((item: { name: string }) => item.name === 'torta_lista').length, 1)
  t.same(backend.errors(), [])
})

t.test('reading and writing templates need their permissions', async t => {
  const { backend, as, who } = await setUp(t)
  for (const [role, read, write] of [
    ['developer', 200, 201],
    ['member', 200, 403],
    ['viewer', 200, 403],
    ['billing', 403, 403],
  ] as const) {
    const ask = as(await aMember({ databases: backend.databases, org: who.org, role }))
    t.equal((await ask('GET', '/whatsapp/template')).status, read, role)
    t.equal((await ask('POST', '/whatsapp/template', { template: draft({ name: `de_${role}` }) })).status, write, role)
  }
})

t.test('without a number there is no account for templates', async t => {
  const { ask } = await setUp(t, { connect: false })
  t.same((await ask('GET', '/whatsapp/template')).json.items, [])
  t.equal((await ask('POST', '/whatsapp/template', { template: draft() })).json.code, 'TEMPLATES_NOT_CONNECTED')
  t.equal((await ask('POST', '/whatsapp/template/sync')).json.code, 'TEMPLATES_NOT_CONNECTED')
})

t.test('the simulated Meta decides on request, and each decision arrives by webhook', async t => {
  const { ask, review, backend } = await setUp(t)
  const { id } = (await ask('POST', '/whatsapp/template', { template: draft() })).json
  const decide = async (verdict: object) => {
    const answer = await ask('POST', `/sandbox/template/${id}`, verdict)
    await backend.parts.jobs.idle()
    await backend.parts.derive.drain()
    return answer.status
  }
  const here = async () => (await ask('GET', `/whatsapp/template/${id}`)).json
  t.equal(await decide({ status: 'REJECTED', reason: 'SCAM' }), 200)
  t.match(await here(), { status: 'REJECTED', rejectedReason: 'SCAM' })
  t.equal(await decide({ status: 'APPROVED' }), 200)
  t.match(await here(), { status: 'APPROVED', rejectedReason: null })
  await decide({ category: 'MARKETING' })
  await decide({ quality: 'YELLOW' })
  t.match(await here(), { status: 'APPROVED', category: 'MARKETING', categoryAsked: 'UTILITY', quality: 'YELLOW' })
  const pausedFor = async () => Date.parse((await here()).pausedUntil) - backend.clock.now().getTime()
  t.match(await here(), { pausedSince: null, pausedUntil: null })
  await decide({ status: 'PAUSED' })
  const { pausedSince, pausedUntil } = await here()
  t.match(await here(), { status: 'PAUSED', note: 'FIRST_PAUSE' })
  t.equal(Date.parse(pausedUntil) - Date.parse(pausedSince), 3 * 3_600_000)
  t.equal(Math.round((await pausedFor()) / 3_600_000), 3, 'it says when the pause ends')
  await decide({ status: 'APPROVED' })
  t.equal((await here()).pausedUntil, null)
  await decide({ status: 'PAUSED' })
  t.match(await here(), { status: 'PAUSED', note: 'SECOND_PAUSE' })
  t.equal(Math.round((await pausedFor()) / 3_600_000), 6)
  t.equal(await decide({}), 400)
  t.equal((await ask('POST', '/sandbox/template/1', { status: 'APPROVED' })).json.code, 'SANDBOX_TEMPLATE_NOT_FOUND')
  await review()
  t.match(await here(), { status: 'PAUSED' })
})
