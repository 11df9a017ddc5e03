import { createHash } from 'node:crypto'
import t from 'tap'
import { mediaSample } from '#server/simulator/media/samples.ts'
import { aMember } from '#test/helpers/actors.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { gatewayStage } from '#test/helpers/gateway-stage.ts'
import { pixel } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const picture = Buffer.from(pixel, 'base64')
const hex = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A form as SDKs write it. */
const formOf = (fields: Record<string, string>, file?: { bytes: Buffer; mime: string; name: string }) => {
  const edge = '----edge'
  const part = (head: string, body: Buffer | string) =>
    Buffer.concat([
      Buffer.from(`--${edge}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ])
  const parts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value))
  if (file) parts.push(part(`name="file"; filename="${file.name}"\r\ncontent-type: ${file.mime}`, file.bytes))
  return {
    type: `multipart/form-data; boundary=${edge}`,
    payload: Buffer.concat([...parts, Buffer.from(`--${edge}--\r\n`)]),
  }
}

const fileStage = async (t: import('tap').Test) => {
  const stage = await gatewayStage(t)
  const { backend, number, key } = stage
  const upload = async (
    file?: Parameters<typeof formOf>[1],
    fields: Record<string, string> = { messaging_product: 'whatsapp' },
  ) => {
    const { type, payload } = formOf(fields, file)
    const reply = await backend.inject({
      method: 'POST',
      url: `/graph/v25.0/${number}/media`,
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      payload,
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  const bytes = (url: string, headers: Record<string, string> = { authorization: `Bearer ${key}` }) =>
    backend.inject({ method: 'GET', url: url.slice(url.indexOf('/graph')), headers })
  return { ...stage, upload, bytes }
}

const png = { bytes: picture, mime: 'image/png', name: 'torta.png' }

t.test('a file is uploaded, described, read in ranges, sent more than once, and deleted', async t => {
  const { upload, graph, bytes, send, say, thread, key, backend, databases } = await fileStage(t)
  await say('Buenas')
  const made = await upload(png)
  t.match(made, { status: 200, body: { id: /^\d{16}$/ } })
  const { id } = made.body
  const info = (await graph('GET', id)).body
  t.match(info, {
    messaging_product: 'whatsapp',
    id,
    mime_type: 'image/png',
    sha256: hex(picture),
    file_size: picture.length,
    url: /\/graph\/whatsapp_business\/attachments\/\?mid=\d+$/,
  })
  const whole = await bytes(info.url)
  t.same(whole.rawPayload, picture)
  t.equal(whole.headers['content-type'], 'image/png')
  const part = await bytes(info.url, { authorization: `Bearer ${key}`, range: 'bytes=1-3' })
  t.equal(part.statusCode, 206)
  t.equal(part.headers['content-range'], `bytes 1-3/${picture.length}`)
  t.same(part.rawPayload, picture.subarray(1, 4))
  t.equal((await bytes(info.url, { 'x-api-key': key, range: 'bytes=9999-' })).statusCode, 416)
  for (const caption of ['Una', 'Otra']) t.equal((await send({ type: 'image', image: { id, caption } })).status, 200)
  await backend.settle()
  t.match((await thread()).slice(-2), [
    { type: 'image', text: 'Una', media: { mime: 'image/png', size: picture.length } },
    { type: 'image', text: 'Otra', wamid: /^wamid/ },
  ])
  t.match(await send({ type: 'video', video: { id } }), { status: 400, body: { error: { code: 100 } } }, 'no video')
  t.match(await graph('DELETE', id), { status: 200, body: { success: true } })
  t.match(await graph('GET', id), { status: 400, body: { error: { code: 100, error_subcode: 33 } } })
  t.match(await send({ type: 'image', image: { id } }), {
    status: 400,
    body: { error: { code: 100, error_data: { details: /does not exist or has expired/ } } },
  })
  t.same(await databases.read.selectFrom('gateway_file').selectAll().execute(), [])
  t.equal((await thread()).filter(one => one.media?.state === 'stored').length, 2, 'sent files stay')
  t.same(backend.errors(), [])
})

t.test('documents and voice keep their form; a file may stand in a header', async t => {
  const { upload, send, say, thread, backend, databases } = await fileStage(t)
  await say('Buenas')
  const pdf = (await upload({ bytes: Buffer.from('%PDF-1.4 factura'), mime: 'application/pdf', name: 'f.pdf' })).body.id
  const voice = (await upload({ bytes: mediaSample('voice').bytes, mime: 'audio/ogg', name: 'v.ogg' })).body.id
  const image = (await upload(png)).body.id
  t.equal(
    (await send({ type: 'document', document: { id: pdf, filename: 'factura 7.pdf', caption: 'Va' } })).status,
    200,
  )
  t.equal((await send({ type: 'audio', audio: { id: voice, voice: true } })).status, 200)
  const interactive = {
    type: 'button',
    header: { type: 'image', image: { id: image } },
    body: { text: '¿Te gusta?' },
    action: { buttons: [{ type: 'reply', reply: { id: 'si', title: 'Sí' } }] },
  }
  t.equal((await send({ type: 'interactive', interactive })).status, 200)
  await backend.settle()
  t.match((await thread()).slice(-3), [
    { type: 'document', media: { name: 'factura 7.pdf' } },
    { type: 'voice' },
    { type: 'interactive', text: '¿Te gusta?' },
  ])
  const { body } = await databases.read
    .selectFrom('sandbox_message')
    .select('body')
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow()
  const { id } = JSON.parse(body).interactive.header.image
  t.match(id, /^\d+$/)
  t.not(id, image, 'Meta knows the file by its own id')
})

t.test('a file of a customer is read by the id that Meta’s webhook names', async t => {
  const { graph, bytes, call, backend, databases } = await fileStage(t)
  await call('POST', '/sandbox/inbound', { from: '5491155550404', type: 'image' })
  await backend.settle()
  const { provider_id: id, size } = await databases.read
    .selectFrom('media')
    .select(['provider_id', 'size'])
    .executeTakeFirstOrThrow()
  const info = await graph('GET', id)
  t.match(info, { status: 200, body: { id, file_size: size } })
  t.equal((await bytes(info.body.url)).rawPayload.length, size)
  t.match(await graph('DELETE', id), { status: 400, body: { error: { error_subcode: 33 } } }, 'it stays in the chat')
})

t.test('strangers get nothing, and bad uploads are refused as Meta refuses them', async t => {
  const { upload, graph, bytes, number, backend, databases } = await fileStage(t)
  const { id } = (await upload(png)).body
  const { url } = (await graph('GET', id)).body
  const stranger = await aMember({ databases, orgName: 'Otra' })
  const { key } = await aKey(backend.app, stranger.cookie)
  t.equal((await bytes(url, { 'x-api-key': key })).statusCode, 404)
  t.equal((await bytes(url, {})).statusCode, 401)
  t.match(await graph('GET', id, undefined, { 'x-api-key': key }), {
    status: 400,
    body: { error: { error_subcode: 33 } },
  })
  t.match(await upload(png, {}), { status: 400, body: { error: { message: /messaging_product/ } } })
  t.match(await upload(undefined), { status: 400, body: { error: { message: /file is required/ } } })
  t.match(await upload({ ...png, bytes: Buffer.from('<svg/>'), mime: 'image/svg+xml' }), {
    status: 400,
    body: { error: { code: 131053 } },
  })
  t.match(await graph('POST', `${number}/media`, {}), { status: 400, body: { error: { code: 100 } } }, 'no form')
  t.equal((await databases.read.selectFrom('received_file').selectAll().execute()).length, 0, 'nothing is left behind')
  backend.clock.advance(31 * 86_400_000)
  t.match(await graph('GET', id), { status: 400 }, 'kept for thirty days')
})
