import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import { forwardUpload } from '#server/whatsapp/serving/forwarded.ts'

/** More than the sockets on the way hold. */
const size = 60_000_000
async function* bytes(failsAt = size) {
  for (let sent = 0; sent < size; sent += 100_000) {
    if (sent >= failsAt) throw new Error('the sender is gone')
    yield Buffer.alloc(100_000)
    await new Promise(resolve => setImmediate(resolve))
  }
}
const answer = (status: string, body: object) => {
  const text = JSON.stringify(body)
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`
}

/** Meta, which answers an upload before its bytes came, and ends the connection. */
const aServer = async (t: Test, of: Readonly<Record<'POST' | 'GET', string>>) => {
  const asked: string[] = []
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', head => {
      const method = head.toString('latin1').split(' ')[0] as 'POST' | 'GET'
      asked.push(method)
      socket.pause()
      socket.write(of[method])
      ;(socket as Socket & { destroySoon(): void }).destroySoon()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const upload = (failsAt?: number) =>
    forwardUpload(
      { baseUrl, version: 'v25.0', accessToken: 'EAA' },
      { path: 'upload:abc', query: { sig: 'x' } },
      { bytes: { stream: bytes(failsAt), size }, offset: 0 },
    )
  return { upload, asked }
}
const gone = answer('400 Bad Request', { error: { message: 'No such upload', code: 100, error_subcode: 33 } })

t.test('an upload that is refused before its bytes came says why', async t => {
  const { upload, asked } = await aServer(t, { POST: gone, GET: gone })
  await t.rejects(upload(), { httpStatus: 400, code: '100', subcode: '33' })
  t.equal(asked[0], 'POST')
})

t.test('one that breaks off for another reason is not known to have come', async t => {
  const { upload, asked } = await aServer(t, { POST: '', GET: answer('200 OK', { file_offset: 0 }) })
  const error = await upload().catch((error: unknown) => error)
  t.ok(error instanceof WhatsAppError)
  t.equal((error as WhatsAppError).httpStatus, undefined)
  t.same(asked, ['POST', 'GET'])
})

t.test('an answer that says nothing about the upload is not passed on as its outcome', async t => {
  const { upload } = await aServer(t, { POST: '', GET: answer('429 Too Many Requests', { error: { code: 4 } }) })
  t.equal(((await upload().catch((error: unknown) => error)) as WhatsAppError).httpStatus, undefined)
})

t.test('Meta is not asked about an upload whose sender is gone', async t => {
  const { upload, asked } = await aServer(t, { POST: '', GET: gone })
  t.equal(((await upload(0).catch((error: unknown) => error)) as WhatsAppError).httpStatus, undefined)
  t.notOk(asked.includes('GET'))
})
