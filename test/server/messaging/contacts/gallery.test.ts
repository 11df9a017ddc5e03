import t, { type Test } from 'tap'
import { seesAll } from '#server/identity/visibility/scope.ts'
import { selectGallery } from '#server/messaging/contacts/gallery-store.ts'
import { galleryKinds } from '#shared/contacts/chat-contact.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const phone = '5491155550303'
const other = '5491155550304'

const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const { databases } = backend
  const owner = await aMember({ databases })
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, cookie = owner.cookie) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call('POST', '/whatsapp/connection/sandbox')
  const says = async (from: string, message: object) => {
    await call('POST', '/sandbox/inbound', { from, ...message })
    await backend.settle()
  }
  const gallery = async (kind: string) =>
    ((await call('GET', `/whatsapp/conversations/${phone}/gallery?kind=${kind}`)).body.items as Message[]).map(
      ({ type }) => type,
    )
  return { databases, owner, call, says, gallery }
}

t.test(
  'the files of a conversation are listed by kind, newest first, without files of other conversations',
  async t => {
    const { call, says, gallery } = await stage(t)
    await says(phone, { text: 'Hola', name: 'Lucía' })
    const kinds = async () =>
      (await call('GET', `/whatsapp/conversations/${phone}/gallery?kind=pictures`)).body.kinds as string[]
    t.same(await gallery('pictures'), [])
    t.same(await kinds(), [])
    await says(phone, { type: 'image', caption: 'La torta' })
    await says(phone, { type: 'video' })
    await says(phone, { type: 'document' })
    await says(phone, { type: 'audio' })
    await says(other, { type: 'image' })
    t.same(await gallery('pictures'), ['video', 'image'])
    t.same(await gallery('documents'), ['document'])
    t.same(await gallery('audio'), ['audio'])
    t.same(await kinds(), ['pictures', 'documents', 'audio'], 'only those of which there is something')
    const { body } = await call('GET', `/whatsapp/conversations/${phone}/gallery?kind=pictures&page=1`)
    t.match(body, { page: 1, hasMore: false, items: [{}, { text: 'La torta', media: { state: 'stored' } }] })
    t.same((await call('GET', `/whatsapp/conversations/${phone}/gallery?kind=pictures&page=2`)).body.items, [])
    for (const query of ['', '?kind=words', '?kind=pictures&page=0'])
      t.equal((await call('GET', `/whatsapp/conversations/${phone}/gallery${query}`)).status, 400, query)
    t.equal((await call('GET', '/whatsapp/conversations/5491100000000/gallery?kind=pictures')).status, 404)
    await says(phone, { text: 'Está en https://panaderia.example/tortas, mirá' })
    await says(phone, { type: 'image', caption: 'Como esta: http://panaderia.example' })
    await says(phone, { text: 'http, sin nada más' })
    await says(other, { text: 'https://otra.example' })
    await call('POST', `/whatsapp/conversations/${phone}/notes`, { text: 'Ver https://interno.example' })
    t.same(await gallery('links'), ['image', 'text'])
    t.same(await kinds(), ['pictures', 'documents', 'audio', 'links'])
  },
)

t.test('members can add, change and delete the note of a contact', async t => {
  const { databases, owner, call, says } = await stage(t)
  await says(phone, { text: 'Hola', name: 'Lucía' })
  const path = `/whatsapp/conversations/${phone}/contact`
  t.match((await call('GET', path)).body, { note: null })
  t.match((await call('PATCH', path, { note: '  Paga los viernes ' })).body, { note: 'Paga los viernes', name: null })
  t.match((await call('PATCH', path, { name: 'Vecina' })).body, { note: 'Paga los viernes', name: 'Vecina' })
  const viewer = await aMember({ databases, org: owner.org, role: 'viewer' })
  t.match((await call('GET', path, undefined, viewer.cookie)).body, { note: 'Paga los viernes' })
  t.equal((await call('PATCH', path, { note: 'No' }, viewer.cookie)).status, 403)
  for (const body of [{}, { note: ' ' }, { note: 'x'.repeat(2001) }])
    t.equal((await call('PATCH', path, body)).status, 400, JSON.stringify(body).slice(0, 40))
  t.match((await call('PATCH', path, { note: null })).body, { note: null, name: 'Vecina' })
})

testOnSqlite('each kind goes by its index, without sorting', async t => {
  const { databases, owner } = await stage(t)
  for (const kind of galleryKinds) {
    const asked = { conversationId: 'c', kind, limit: 31, offset: 0 }
    const { sql, parameters } = selectGallery(databases.read, { orgId: owner.org.id, scope: seesAll }, asked).compile()
    const plan = databases.raw.read.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[]
    const details = plan.map(({ detail }) => detail).join('\n')
    t.match(details, new RegExp(`message USING INDEX message_${kind}`))
    t.notMatch(details, /TEMP B-TREE/)
  }
})
