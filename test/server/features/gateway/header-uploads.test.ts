/** Files of template headers, uploaded as at Meta: a session, its bytes, the handle in a template. */
import t from 'tap'
import { mediaSample } from '#server/simulator/media/samples.ts'
import { gatewayStage } from '#test/helpers/gateway-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const { bytes: picture } = mediaSample('image')
const session = `9/uploads?file_name=torta.png&file_length=${picture.length}&file_type=image/png`

const uploadStage = async (t: import('tap').Test, options?: Parameters<typeof gatewayStage>[1]) => {
  const stage = await gatewayStage(t, options)
  const { backend, key } = stage
  /** Over a real connection, as a program would. */
  const send = async (
    id: string,
    body: Uint8Array | AsyncIterable<Uint8Array>,
    headers: Record<string, string> = { authorization: `OAuth ${key}`, file_offset: '0' },
  ) => {
    const reply = await fetch(`${backend.url}/graph/v25.0/${id}`, {
      ...{ method: 'POST', body, headers, duplex: 'half' },
    } as unknown as RequestInit)
    return { status: reply.status, body: await reply.json() }
  }
  return { ...stage, send }
}

t.test('a picture is uploaded and becomes the header of a template', async t => {
  const { graph, send, waba, backend } = await uploadStage(t)
  const opened = await graph('POST', session)
  t.match(opened, { status: 200, body: { id: /^upload:[\w-]+\?sig=/ } })
  const { id } = opened.body
  t.match(await graph('GET', id), { status: 200, body: { file_offset: 0 } })
  const filled = await send(id, picture)
  t.match(filled, { status: 200, body: { h: /^4::/ } })
  t.match(await graph('GET', id), { status: 200, body: { file_offset: picture.length } })
  const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [filled.body.h] } }
  const template = { name: 'torta', language: 'es_AR', category: 'MARKETING' }
  const components = [header, { type: 'BODY', text: 'Hoy hay torta de ricota en la panadería.' }]
  t.match(await graph('POST', `${waba}/message_templates`, { ...template, components }), { status: 200 })
  await backend.settle()
  t.same(backend.errors(), [])
})

t.test('what is wrong with an upload is said as Meta says it', async t => {
  const { graph, send, key, backend } = await uploadStage(t)
  const small = session.replace(String(picture.length), '5')
  t.match(await graph('POST', session.replace('image/png', 'text/html')), {
    ...{ status: 400, body: { error: { code: 100, message: /file_type must be one of/ } } },
  })
  t.match(await graph('POST', '9/uploads'), { status: 400, body: { error: { message: /file_length is required/ } } })
  const { id } = (await graph('POST', small)).body
  t.match(await send(id, picture), { status: 400, body: { error: { error_data: { details: /Expected 5 bytes/ } } } })
  t.match(await send('upload:none?sig=x', picture), { status: 400, body: { error: { code: 100, error_subcode: 33 } } })
  const inChunks = (async function* () {
    yield picture
  })()
  t.match(await send(id, inChunks), { status: 400, body: { error: { message: /content-length is required/ } } })
  for (const path of ['upload:%2e%2e/9/messages', 'upload:a%20b', 'upload:'])
    t.match(await graph('POST', path, {}), { status: 400, body: { error: { code: 2500 } } }, path)
  t.match(await send(id, picture, {}), { status: 401, body: { error: { code: 104 } } })
  t.match(await send(`${id}&access_token=${key}`, picture, {}), { status: 400 }, 'the key may stand in the address')
  t.same(backend.errors(), [])
})

t.test('a file that is larger than any header is refused before its bytes', async t => {
  const { backend, key } = await uploadStage(t)
  const headers = { authorization: `Bearer ${key}`, 'content-length': String(2 ** 30) }
  const reply = await backend.inject({ method: 'POST', url: '/graph/v25.0/upload:abc?sig=x', headers })
  t.equal(reply.statusCode, 400)
  t.match(reply.json(), { error: { code: 131053 } })
})

t.test('a key that may not edit templates uploads nothing', async t => {
  const { graph, send } = await uploadStage(t, { scopes: ['chat:read', 'chat:reply'] })
  t.match(await graph('POST', session), { status: 403, body: { error: { code: 10 } } })
  t.match(await graph('GET', 'upload:abc?sig=x'), { status: 403 })
  t.match(await send('upload:abc?sig=x', picture), { status: 403, body: { error: { code: 10 } } })
})
