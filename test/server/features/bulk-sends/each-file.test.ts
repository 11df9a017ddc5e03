/** A separate file for each recipient, from a column to the customer's phone. */
import t, { type Test } from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import { phones, aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const png = Buffer.from(pixel, 'base64')
const pdfOf = (word: string) => Buffer.from(`%PDF-1.4\n% ${word}\n%%EOF`)

const aStage = async (t: Test, pushFetch?: typeof fetch) => {
  const all = await stage(t, pushFetch ? { pushFetch } : {})
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
  const approved = async (format: string, file: string) => {
    const body = { type: 'BODY', text: 'Hola, te mandamos la factura de este mes.' }
    const template = {
      ...{ name: `factura_${newId()}`, language: 'es_AR', category: 'UTILITY' },
      components: [{ type: 'HEADER', format }, body],
    }
    const { json } = await ask<{ id: string }>('POST', '/whatsapp/template', { template, file })
    await later(60_000)
    await ask('POST', `/sandbox/template/${json.id}`, { status: 'APPROVED' })
    await backend.settle()
    await ask('POST', '/whatsapp/template/sync')
    return json.id
  }
  /** The files that the simulated Meta was sent, by recipient. */
  const sent = async () => {
    const rows = await backend.databases.read
      .selectFrom('sandbox_message')
      .select(['wa_id', 'body'])
      .where('direction', '=', 'out')
      .execute()
    return new Map(
      rows.map(({ wa_id, body }) => [
        wa_id,
        JSON.parse(String(body)).template?.components?.[0]?.parameters?.[0]?.document,
      ]),
    )
  }
  return { ...all, upload, approved, sent }
}

t.test('each recipient gets the file of their row; a missing or invalid file is named with the reason', async t => {
  const asked: string[] = []
  const pushFetch = (async (url: string) => {
    asked.push(url)
    return url.endsWith('bien.pdf') ? new Response(pdfOf('x')) : new Response('no', { status: 404 })
  }) as unknown as typeof fetch
  const { backend, ask, create, report, recipients, later, upload, approved, sent } = await aStage(t, pushFetch)
  const example = await upload(pdfOf('ejemplo'), 'ejemplo.pdf')
  const template = await approved('DOCUMENT', example)
  await upload(pdfOf('vieja'), 'ana.pdf')
  const ana = await upload(pdfOf('ana'), 'ana.pdf')
  await upload(png, 'foto.png')
  const [one, two, three, four, five, six, seven, eight] = phones(8) as string[]
  const text = [
    'telefono,nombre,factura',
    `${one},Ana,ana.pdf`,
    `${two},Beto,https://facturas.example.com/bien.pdf`,
    `${three},Caro,`,
    `${four},Dani,nadie.pdf`,
    `${five},Eva,foto.png`,
    `${six},Fede,http://facturas.example.com/a.pdf`,
    `${seven},Gabi,https://127.0.0.1/a.pdf`,
    `${eight},Hugo,https://facturas.example.com/mal.pdf`,
  ].join('\n')
  const request = {
    template,
    audience: { csv: { text } },
    values: {
      file: { from: 'column', text: 'factura' },
      fileName: { from: 'column', text: 'nombre', fallback: 'Factura' },
    },
  }
  const plan = await ask<BulkPlan>('POST', '/whatsapp/bulk-sends/plan', request)
  t.equal(plan.status, 200, JSON.stringify(plan.json))
  t.equal(plan.json.planned, 3)
  t.same(plan.json.omitted.map(({ reason, count, rows }) => [reason, count, rows]).sort(), [
    ['fileAddress', 2, [7, 8]],
    ['fileKind', 1, [6]],
    ['fileMissing', 2, [4, 5]],
  ])
  t.same(plan.json.files, {
    ...{ uploaded: 1, addresses: 2, probed: 2 },
    faults: [{ value: 'https://facturas.example.com/mal.pdf', reason: 'fileUnreachable' }],
  })
  t.match(plan.json.previews[0]?.media, { format: 'DOCUMENT', url: `/api/whatsapp/template/media/${ana.slice(6)}` })
  t.same(asked.sort(), ['https://facturas.example.com/bien.pdf', 'https://facturas.example.com/mal.pdf'])

  const send = await create({ ...request, startIfPlanned: 3 })
  for (let i = 0; i < 6; i += 1) await later(5_000)
  t.match(await report(send), { counts: { planned: 0, omitted: 5 } })
  t.same((await recipients(send)).flatMap(({ reason }) => reason?.code ?? []).sort(), [
    'fileAddress',
    'fileAddress',
    'fileKind',
    'fileMissing',
    'fileMissing',
  ])
  const files = await sent()
  t.match(files.get(one ?? ''), { id: /./, filename: /./ })
  t.equal(files.get(one ?? '').link, undefined, 'a file kept here goes as a copy')
  t.match(files.get(two ?? ''), { link: 'https://facturas.example.com/bien.pdf', filename: 'Beto' })
  t.equal(files.size, 3)
  t.same(backend.errors(), [])
})

t.test(
  'a file per recipient is refused if the header shows none, and a fallback applies to those without one',
  async t => {
    const { ask, upload, approved, id } = await aStage(t)
    const audience = { csv: { text: `telefono,factura\n${phones(1)[0]},` } }
    const file = { from: 'column', text: 'factura' }
    t.match(await ask('POST', '/whatsapp/bulk-sends/plan', { template: id, audience, values: { file } }), {
      status: 400,
      json: { details: [{ field: 'body.values.file' }] },
    })
    const example = await upload(pdfOf('ejemplo'), 'ejemplo.pdf')
    const template = await approved('DOCUMENT', example)
    const values = { file: { ...file, fallback: 'ejemplo.pdf' } }
    t.match(await ask('POST', '/whatsapp/bulk-sends/plan', { template, audience, values }), {
      status: 200,
      json: { planned: 1, files: { uploaded: 1, addresses: 0, probed: 0, faults: [] } },
    })
  },
)
