import { createHash } from 'node:crypto'
import t from 'tap'
import { Compile } from 'typebox/compile'
import { mediaSample } from '#server/simulator/media/samples.ts'
import { createCloudNumber } from '#server/whatsapp/cloud.ts'
import { MediaInfo } from '#server/whatsapp/graph/wire.ts'
import { type Delivered, type SandboxBench, sandboxBench, textTo } from '#test/helpers/sandbox.ts'

const customer = '5491155551234'
const isMediaInfo = Compile(MediaInfo)

const upload = async (
  bench: SandboxBench,
  file: Blob | null,
  fields: Record<string, string> = { messaging_product: 'whatsapp' },
  name = 'a.bin',
) => {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  if (file) form.set('file', file, name)
  const request = new Request('http://x/', { method: 'POST', body: form })
  const reply = await bench.app.inject({
    method: 'POST',
    url: `/sandbox/graph/v25.0/${bench.number.phoneNumberId}/media`,
    headers: {
      authorization: `Bearer ${bench.number.accessToken}`,
      'content-type': request.headers.get('content-type') as string,
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: reply.statusCode, json: reply.json() }
}
const blobOf = (bytes: Buffer, type: string) => new Blob([new Uint8Array(bytes)], { type })
const png = mediaSample('image').bytes

t.test('an uploaded file can be sent, looked up, fetched and deleted', async t => {
  const bench = await sandboxBench(t)
  const { number, app } = bench
  const { status, json } = await upload(bench, blobOf(png, 'image/png'))
  t.equal(status, 200)
  t.match(json, { id: /^\d{16}$/ })
  t.equal((await bench.post({ ...textTo(customer), type: 'image', image: { id: json.id } })).status, 200)
  t.match((await bench.post({ ...textTo(customer), type: 'video', video: { id: json.id } })).json, {
    error: { code: 100, error_data: { details: /cannot be sent as video/ } },
  })

  const info = (await bench.get(json.id)).json
  t.ok(isMediaInfo.Check(info))
  t.match(info, {
    messaging_product: 'whatsapp',
    mime_type: 'image/png',
    sha256: createHash('sha256').update(png).digest('hex'),
    file_size: png.length,
    id: json.id,
  })
  t.match(
    info.url,
    /^http:\/\/localhost:80\/sandbox\/graph\/whatsapp_business\/attachments\/\?mid=\d+&ext=\d{10}&hash=AT/,
  )
  const url = info.url.replace('http://localhost:80', '')
  const headers = { authorization: `Bearer ${number.accessToken}` }
  const file = await app.inject({ url, headers })
  t.equal(file.statusCode, 200)
  t.same(file.rawPayload, png)
  t.equal(file.headers['content-type'], 'image/png')
  t.equal((await app.inject({ url })).statusCode, 404, 'without the token')
  t.equal((await app.inject({ url: url.replace('hash=AT', 'hash=AU'), headers })).statusCode, 404, 'with a wrong hash')
  bench.clock.advance(301_000)
  t.equal((await app.inject({ url, headers })).statusCode, 404, 'after five minutes')

  t.match((await bench.get(`${json.id}?phone_number_id=1`)).json, { error: { code: 100, error_subcode: 33 } })
  const gone = await app.inject({ method: 'DELETE', url: `/sandbox/graph/v25.0/${json.id}`, headers })
  t.same(gone.json(), { success: true })
  t.match((await bench.get(json.id)).json, {
    error: { code: 100, error_subcode: 33, message: /^Unsupported get request/ },
  })
})

t.test('uploads that Meta would refuse are refused', async t => {
  const bench = await sandboxBench(t)
  const refused: [Promise<{ status: number; json: unknown }>, number, RegExp][] = [
    [upload(bench, blobOf(png, 'image/png'), {}), 100, /messaging_product is required/],
    [upload(bench, null), 100, /parameter file is required/],
    [
      upload(bench, blobOf(Buffer.from('PK..'), 'application/zip')),
      100,
      /Param file must be a file with one of the following types: audio\/aac.*Received file of type 'application\/zip'/,
    ],
    [upload(bench, blobOf(Buffer.from('<!doctype html><p>'), 'image/png')), 100, /Received file of type 'text\/html'/],
    [upload(bench, blobOf(png, 'image/jpeg')), 131053, /Received file of type 'image\/png'/],
    [
      upload(bench, blobOf(Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]), 'image/png')),
      131053,
      /Max file size supported: 5242880/,
    ],
    [
      upload(
        bench,
        blobOf(Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(16 * 1024 * 1024)]), 'application/pdf'),
      ),
      131053,
      /too big/,
    ],
  ]
  for (const [answer, code, words] of refused) {
    const { status, json } = await answer
    t.equal(status, 400)
    t.match(json, { error: { code } })
    t.match(JSON.stringify(json), words)
  }
  t.match(await bench.post({ file: 'x' }, `${bench.number.phoneNumberId}/media`), {
    status: 400,
    json: { error: { code: 100 } },
  })
  t.equal((await upload(bench, blobOf(Buffer.from('hola'), 'text/plain'), undefined, 'nota.txt')).status, 200)
})

t.test("the product's own client fetches what a customer sent, for a week", async t => {
  const bench = await sandboxBench(t)
  const { number, sandbox, member, delivered, clock } = bench
  const baseUrl = `${await bench.app.listen({ port: 0, host: '127.0.0.1' })}/sandbox/graph`
  const client = createCloudNumber({ ...number, baseUrl, version: 'v25.0' })
  await sandbox.service.inbound(member, { body: { from: customer, type: 'document', filename: 'señal.pdf' } })
  const { id, sha256 } = (delivered[0] as Delivered).json.entry[0].changes[0].value.messages[0].document
  const file = await client.fetchMedia(id, { maxBytes: 1_000_000 })
  const chunks = []
  for await (const chunk of file.body) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  t.same(bytes, mediaSample('document').bytes)
  t.equal(createHash('sha256').update(bytes).digest('base64'), sha256)
  t.match(file, { mime: 'application/pdf', size: bytes.length })
  clock.advance(7 * 86_400_000)
  await t.rejects(client.fetchMedia(id, { maxBytes: 1_000_000 }), { name: 'WhatsAppError', code: '100' })
})
