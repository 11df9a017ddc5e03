/** One chat as a file: in WhatsApp's own form, and as a page to print. */

import t from 'tap'
import { createChatExports } from '#server/features/exports/chat/chat-exports.ts'
import { pagePolicy } from '#server/features/exports/chat/chat-page.ts'
import { createDownloads } from '#server/features/exports/downloads.ts'
import { createVault } from '#server/platform/crypto/secrets.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { aMember, testSecret } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { keptLog } from '#test/helpers/log.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

const customer = '5491155550101'

t.setTimeout(fileTimeoutMs)

const backend = await startBackend(t)
const { databases } = backend
const { owner, headers } = await aNeighbour(backend, { orgName: 'Panadería', customer })

const ask = async (cookie: string, format: string, phone = customer) => {
  const headers = { cookie, 'accept-language': 'es' }
  const url = `/api/whatsapp/chats/${phone}/export`
  const prepared = await backend.inject({ method: 'POST', url, headers, payload: { format } })
  if (prepared.statusCode !== 200) return prepared
  return backend.inject({ method: 'GET', url: prepared.json().url, headers })
}

t.test("a chat's text has WhatsApp's own form, without notes and messages that failed", async t => {
  const payload = { message: 'Dos\nlíneas', numberTel: customer }
  await backend.inject({ method: 'POST', url: '/api/whatsapp/messages', headers, payload })
  await backend.settle()
  const reply = await ask(owner.cookie, 'text')
  t.equal(reply.statusCode, 200, reply.body)
  t.equal(reply.headers['content-type'], 'text/plain; charset=utf-8')
  t.equal(reply.headers['cache-control'], 'no-store')
  t.match(
    reply.headers['content-disposition'],
    /^attachment; filename="Chat de WhatsApp con Cliente de Panaderia\.txt"/,
  )
  const lines = reply.body.split('\r\n')
  const form = /^\[\d{1,2}\/\d{1,2}\/\d{4}, \d\d:\d\d:\d\d\] (?:Cliente de Panadería|Panadería): /
  t.match(lines[0], form)
  t.ok(lines[0]?.endsWith(': Secreto de Panadería'))
  t.ok(lines.some(line => form.test(line) && line.includes('Panadería: Dos')))
  t.ok(lines.includes('líneas'), 'a second line has no head')
  t.ok(
    lines.some(line => /Foto de Panadería \u200e(?:imagen omitida|<adjunto: .+>)$/.test(line)),
    reply.body,
  )
  const notes = await databases.read
    .selectFrom('message')
    .select('text')
    .where(eb => eb.or([eb('type', '=', 'note'), eb('status', '=', 'failed')]))
    .where('text', '<>', '')
    .execute()
  t.ok(notes.length)
  for (const { text } of notes) t.notOk(reply.body.includes(text), text)
})

t.test('the page to print runs nothing and escapes what people wrote', async t => {
  const text = '<script>alert(1)</script> & "más"'
  await backend.inject({ method: 'POST', url: '/api/sandbox/inbound', headers, payload: { from: customer, text } })
  await backend.settle()
  const reply = await ask(owner.cookie, 'html')
  t.equal(reply.statusCode, 200, reply.body)
  t.equal(reply.headers['content-type'], 'text/html; charset=utf-8')
  t.equal(reply.headers['content-security-policy'], pagePolicy)
  t.notMatch(reply.body, /<script/)
  t.match(reply.body, '&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;más&quot;')
  t.match(reply.body, /<img src="\/api\/whatsapp\/media\/[^"]+"/)
  t.ok(reply.body.endsWith('</main></body></html>\n'), 'it is whole')
})

t.test('only who sees a chat exports it, and the log says who did', async t => {
  const other = await aNeighbour(backend, { orgName: 'Vecina', customer: '5491155550202' })
  const viewer = await aMember({ databases, org: owner.org, role: 'viewer' })
  t.equal((await ask(viewer.cookie, 'text')).statusCode, 200, 'who may read')
  const billing = await aMember({ databases, org: owner.org, role: 'billing' })
  t.equal((await ask(billing.cookie, 'text')).statusCode, 403)
  t.equal((await ask(other.owner.cookie, 'text')).statusCode, 404, 'another organization')
  t.equal((await ask(owner.cookie, 'text', '5491155550999')).statusCode, 404)
  t.equal((await ask(owner.cookie, 'pdf')).statusCode, 400)

  const url = `/api/whatsapp/chats/${customer}/export`
  const prepared = await backend.inject({
    ...{ method: 'POST', url, payload: { format: 'text' } },
    headers: { cookie: viewer.cookie },
  })
  const { url: file } = prepared.json()
  const fetched = (cookie: string) => backend.inject({ method: 'GET', url: file, headers: { cookie } })
  t.equal((await fetched(owner.cookie)).statusCode, 404, 'not of somebody else')
  await databases.write.updateTable('member').set({ role: 'billing' }).where('userId', '=', viewer.user.id).execute()
  t.equal((await fetched(viewer.cookie)).statusCode, 403, 'not without the right any more')

  const entries = await backend.inject({
    method: 'GET',
    url: '/api/organization/audit?kind=exports',
    headers: { cookie: owner.cookie },
  })
  t.match(entries.json().items, [{ action: 'chatExported', subject: customer, who: { id: viewer.user.id } }])
})

t.test('a chat of several pages is whole and in order', async t => {
  for (let n = 0; n < 12; n += 1) {
    const payload = { from: customer, text: `línea ${n}.` }
    await backend.inject({ method: 'POST', url: '/api/sandbox/inbound', headers, payload })
  }
  await backend.settle()
  const { clock } = backend
  const chats = createChatExports({
    ...{ databases, clock, vault: createVault(testSecret), messagesAtOnce: 5 },
    downloads: createDownloads({ log: keptLog() }),
    readTimeZone: async () => defaultTimeZone,
    translate: (_language, key) => key,
  })
  const read = async () => {
    const { url } = await chats.service.prepare(owner.member, { params: { phone: customer }, body: { format: 'text' } })
    const ticket = decodeURIComponent(new URL(url, 'http://localhost').searchParams.get('ticket') ?? '')
    const { body } = await chats.open(owner.member, chats.openTicket(ticket, owner.person))
    let text = ''
    for await (const piece of body) text += String(piece)
    return text
  }
  const text = await read()
  t.same(
    [...text.matchAll(/línea (\d+)\./g)].map(match => Number(match[1])),
    Array.from({ length: 12 }, (_, n) => n),
  )
})
