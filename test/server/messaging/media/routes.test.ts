import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { mountMedia } from '#server/messaging/media/routes.ts'
import type { Caller } from '#server/platform/http/access.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { mount } from '#server/platform/http/http.ts'
import { mediaApi } from '#shared/media/api.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { jpeg, sha256, stage } from './stage.ts'

/** Serves the media routes to the caller the test names. */
const site = async (t: Test) => {
  const s = await stage(t)
  let caller: Caller = { language: 'es', person: null, member: async () => undefined }
  const app = Fastify()
  app.decorateRequest('caller', null as never)
  app.decorateRequest('actor', null as never)
  app.addHook('onRequest', async request => {
    request.caller = caller
  })
  app.setErrorHandler((error, _request, reply) =>
    error instanceof AppError
      ? reply.status(error.status).send({ statusCode: error.status, code: error.code, message: '', requestId: '' })
      : reply.status(500).send(String(error)),
  )
  mount(app, 'media', mediaApi, s.media.service, async (_request, _reply, run) => run())
  mountMedia(app, s)
  const as = (who: { person: Caller['person']; member?: NonNullable<Awaited<ReturnType<Caller['member']>>> }) => {
    caller = {
      language: 'es',
      person: who.person,
      member: async org =>
        who.member && (org ?? who.person?.activeOrgId) === who.member.orgId ? who.member : undefined,
    }
  }
  const get = (id: string, headers: Record<string, string> = {}) =>
    app.inject({ url: `/api/whatsapp/media/${id}`, headers })
  const stored = async (facts: { mime?: string; name?: string; bytes?: Buffer } = {}) => {
    const bytes = facts.bytes ?? jpeg
    s.serve(bytes, { mime: facts.mime })
    const file = await s.file({ mime: facts.mime, name: facts.name })
    await s.settle()
    return file
  }
  as(s.ana)
  return { ...s, app, as, get, stored }
}

t.test('a member gets the bytes, displayed inline, cached by the browser, unable to run scripts', async t => {
  const s = await site(t)
  const { id } = await s.stored({ name: 'torta.jpg' })
  const reply = await s.get(id)
  t.equal(reply.statusCode, 200)
  t.same(reply.rawPayload, jpeg)
  t.match(reply.headers, {
    'content-type': 'image/jpeg',
    'content-length': String(jpeg.length),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'cache-control': /^private, max-age=\d+, immutable$/,
    'content-disposition': /^inline; filename="torta\.jpg"/,
    'content-security-policy': /default-src 'none'.*sandbox/,
    etag: `"${sha256(jpeg)}"`,
  })
  const again = await s.get(id, { 'if-none-match': String(reply.headers.etag) })
  t.same([again.statusCode, again.body], [304, ''])
})

t.test('players get ranges, and a range beyond the end is refused', async t => {
  const s = await site(t)
  const { id } = await s.stored()
  const part = await s.get(id, { range: 'bytes=10-19' })
  t.equal(part.statusCode, 206)
  t.same(part.rawPayload, jpeg.subarray(10, 20))
  t.match(part.headers, { 'content-range': `bytes 10-19/${jpeg.length}`, 'content-length': '10' })
  t.same((await s.get(id, { range: 'bytes=-5' })).rawPayload, jpeg.subarray(-5))
  const beyond = await s.get(id, { range: `bytes=${jpeg.length}-` })
  t.same(
    [beyond.statusCode, beyond.json().code, beyond.headers['content-range']],
    [416, 'MEDIA_RANGE_REFUSED', `bytes */${jpeg.length}`],
  )
  t.equal((await s.get(id, { range: 'bytes=0-1', 'if-range': '"of-another-time"' })).statusCode, 200)
})

t.test('content that could run is only downloaded', async t => {
  const s = await site(t)
  const { id } = await s.stored({
    mime: 'text/html',
    name: 'hola.html',
    bytes: Buffer.from('<html><script>1</script>'),
  })
  t.match((await s.get(id)).headers, {
    'content-type': 'application/octet-stream',
    'content-disposition': /^attachment/,
  })
  const svg = await s.stored({ mime: 'image/svg+xml', bytes: Buffer.from('<svg onload="alert(1)"/>') })
  t.match((await s.get(svg.id)).headers, {
    'content-type': 'application/octet-stream',
    'content-disposition': /^attachment/,
  })
})

t.test('a PDF is shown without a sandbox, which would break the viewer, and framed by our pages only', async t => {
  const s = await site(t)
  const { id } = await s.stored({ mime: 'application/pdf', bytes: Buffer.from('%PDF-1.7 ...') })
  const { headers } = await s.get(id)
  t.match(headers, {
    'content-type': 'application/pdf',
    'content-disposition': /^inline/,
    'content-security-policy': /default-src 'none'/,
  })
  t.notMatch(headers['content-security-policy'], /sandbox/)
  t.match(headers, { 'x-frame-options': 'SAMEORIGIN', 'content-security-policy': /frame-ancestors 'self'/ })
  const page = await s.stored({ mime: 'application/pdf', bytes: Buffer.from('<script>alert(1)</script>') })
  t.match((await s.get(page.id)).headers, {
    'content-type': 'application/octet-stream',
    'content-disposition': /^attachment/,
    'content-security-policy': /frame-ancestors 'none'/,
  })
})

t.test(
  'an anonymous caller is 401, a member of another organization 404, a member without the permission 403',
  async t => {
    const s = await site(t)
    const { id } = await s.stored()
    s.as({ person: null })
    t.equal((await s.get(id)).statusCode, 401)
    const other = await aMember({ databases: s.databases })
    s.as(other)
    const foreign = await s.get(id)
    const nothing = await s.get('doesnotexist')
    t.same([foreign.statusCode, foreign.json().code], [404, 'MEDIA_NOT_FOUND'])
    t.same(foreign.json(), nothing.json(), 'one answer for both')
    s.as(await aPerson({ databases: s.databases }))
    t.equal((await s.get(id)).statusCode, 400, 'no organization at all')
    s.as(await aMember({ databases: s.databases, org: s.ana.org, role: 'billing' }))
    t.equal((await s.get(id)).statusCode, 403)
    s.as(s.ana)
    t.equal((await s.get(id, { 'x-organization': s.ana.org.id })).statusCode, 200)
    t.equal((await s.get(id, { 'x-organization': other.org.id })).statusCode, 403, 'not a member of the one named')
  },
)

t.test('the file’s own organization decides, not the session’s active one', async t => {
  const s = await site(t)
  const { id } = await s.stored()
  s.as({ ...s.ana, person: { ...s.ana.person, activeOrgId: 'somewhere-else' } })
  t.equal((await s.get(id)).statusCode, 200, 'an <img> sends no header')
})

t.test('a file that is not stored yet, belongs to a deleted message, or is missing on disk is 404', async t => {
  const s = await site(t)
  s.graph.on(/GET \/v25/, 'reset')
  const waiting = await s.file()
  await s.settle()
  t.equal((await s.get(waiting.id)).json().code, 'MEDIA_NOT_READY')
  const { id, messageId } = await s.stored()
  t.equal((await s.get(id)).statusCode, 200)
  await s.databases.write
    .updateTable('message')
    .set({ revoked_at: '2026-11-20T13:01:00.000Z' })
    .where('id', '=', messageId)
    .execute()
  t.equal((await s.get(id)).statusCode, 404)
  await s.databases.write.updateTable('message').set({ revoked_at: null }).where('id', '=', messageId).execute()
  await s.databases.write
    .updateTable('media')
    .set({ path: `${s.ana.org.id}/zz/gone` })
    .where('id', '=', id)
    .execute()
  t.equal((await s.get(id)).statusCode, 404)
  await s.databases.write.updateTable('media').set({ path: '../../../etc/passwd' }).where('id', '=', id).execute()
  t.equal((await s.get(id)).statusCode, 500, 'a path that leads outside is no file of ours')
})

t.test('a retry is an ordinary API call', async t => {
  const s = await site(t)
  s.graph.on(/GET \/v25/, { status: 400, body: { error: { code: 100, message: 'gone' } } })
  const { id } = await s.file()
  await s.settle()
  s.serve(jpeg)
  const reply = await s.app.inject({ method: 'POST', url: `/api/whatsapp/media/${id}/retry` })
  t.same([reply.statusCode, reply.json()], [200, { success: true }])
  s.as(await aMember({ databases: s.databases, org: s.ana.org, role: 'viewer' }))
  t.equal((await s.app.inject({ method: 'POST', url: `/api/whatsapp/media/${id}/retry` })).statusCode, 403)
})
