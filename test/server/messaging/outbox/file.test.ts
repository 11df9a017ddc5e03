import t, { type Test } from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import { graphError } from '#test/helpers/graph.ts'
import { aConversation, anOrg, stage } from './stage.ts'

const upload = /POST .*\/media$/
const send = /POST .*\/messages/
const minute = 60_000
const day = 24 * 60 * minute

const aPicture = (more: { caption?: string } = {}) => ({
  type: 'file' as const,
  kind: 'image' as const,
  fileId: newId(),
  name: 'foto.jpg',
  ...more,
})

const begun = async (t: Test) => {
  const s = await stage(t)
  const chat = await aConversation(s.databases, s.orgId)
  const uploads = () => s.graph.requests.filter(({ method, path }) => upload.test(`${method} ${path}`))
  const picture = async (more = {}) => {
    const file = aPicture(more)
    return { file, id: await s.write(s.orgId, chat, '', file) }
  }
  return { ...s, chat, uploads, picture }
}

t.test('a file is uploaded, then its message refers to the copy', async t => {
  const s = await begun(t)
  const { id } = await s.picture({ caption: 'la torta' })
  await s.outbox.idle()
  const [form] = s.uploads().map(({ body }) => body as Record<string, unknown>)
  t.match(form, { messaging_product: 'whatsapp', type: 'image/jpeg', file: { type: 'image/jpeg', size: 22 } })
  t.match(s.graph.taken(), [{ type: 'image', image: { id: '700001', caption: 'la torta' } }])
  t.match(await s.message(id), { status: 'queued', wamid: 'wamid.out1' })
  t.equal((await s.attempts()).length, 1)
})

t.test('messages written after a file wait for it', async t => {
  const s = await begun(t)
  s.graph.on(upload, graphError(131016, 500), 1)
  await s.picture()
  await s.write(s.orgId, s.chat, 'y el precio')
  await s.outbox.idle()
  t.same(s.graph.taken(), [], 'a text does not overtake the picture before it')
  s.clock.advance(minute)
  await s.outbox.idle()
  t.same(
    s.graph.taken().map(({ type }) => type),
    ['image', 'text'],
  )
})

t.test('an upload is retried even if its result is unknown; the message is sent once', async t => {
  for (const trouble of ['cut', 'reset', 'html', graphError(131016, 503)] as const) {
    const s = await begun(t)
    s.graph.on(upload, trouble, 2)
    const { id } = await s.picture()
    await s.outbox.idle()
    t.match(await s.message(id), { status: 'queued', unconfirmed: 0 })
    t.same(await s.attempts(), [], 'no attempt to send was made')
    const waiting = await s.outbox.findWaiting(s.databases.read, s.orgId, {
      conversationId: s.chat,
      messageIds: [id],
    })
    t.equal(waiting.get(id)?.reason, 'trouble')
    for (let i = 0; i < 3; i += 1) {
      s.clock.advance(minute)
      await s.outbox.idle()
    }
    t.match(await s.message(id), { wamid: /^wamid/ })
    t.equal(s.uploads().length, 3)
    t.equal(s.graph.taken().length, 1)
  }
})

t.test('a process that dies while uploading has sent nothing, and the next one sends', async t => {
  const s = await begun(t)
  let arrived: () => void = () => undefined
  const isThere = new Promise<void>(resolve => {
    arrived = resolve
  })
  s.graph.on(
    upload,
    () => {
      arrived()
      return 'hang'
    },
    1,
  )
  const { id } = await s.picture()
  await isThere
  const next = s.revive(s.databases)
  await next.outbox.idle()
  for (let i = 0; i < 3; i += 1) {
    s.clock.advance(minute)
    await next.outbox.idle()
  }
  t.match(await next.message(id), { wamid: /^wamid/, unconfirmed: 0 })
  t.equal(s.graph.taken().length, 1)
})

t.test('a send without a response is not repeated, with or without a file', async t => {
  const s = await begun(t)
  s.graph.on(send, 'cut', 1)
  const { id } = await s.picture()
  await s.outbox.idle()
  s.clock.advance(5 * minute)
  await s.outbox.idle()
  t.match(await s.message(id), { unconfirmed: 1 })
  t.equal(s.graph.taken().length, 1)
})

t.test('a file that WhatsApp refuses fails its message with the reason, and later messages go on', async t => {
  const s = await begun(t)
  s.graph.on(upload, graphError(131053), 1)
  const { id } = await s.picture()
  const after = await s.write(s.orgId, s.chat, 'seguimos')
  await s.outbox.idle()
  t.match(await s.message(id), { status: 'failed', error_code: '131053' })
  t.match(await s.message(after), { wamid: /^wamid/ })
})

t.test('an upload that never succeeds ends with a failure', async t => {
  const s = await begun(t)
  s.graph.on(upload, graphError(131016, 503), 100)
  const { id } = await s.picture()
  for (let i = 0; i < 12; i += 1) {
    await s.outbox.idle()
    s.clock.advance(16 * minute)
  }
  await s.outbox.idle()
  t.match(await s.message(id), { status: 'failed', error_code: '131016' })
  t.equal(s.uploads().length, 7)
})

t.test('a file missing on disk fails its message', async t => {
  const s = await begun(t)
  s.graph.on(upload, 'reset', 1)
  const { id } = await s.picture()
  await s.outbox.idle()
  const { path } = await s.databases.read.selectFrom('media').select('path').executeTakeFirstOrThrow()
  await s.storage.remove(path as string)
  s.clock.advance(minute)
  await s.outbox.idle()
  t.match(await s.message(id), { status: 'failed', error_code: 'FILE_MISSING' })
})

t.test('a copy is used again for twenty-nine days, by its own number only', async t => {
  const s = await begun(t)
  await s.picture()
  await s.outbox.idle()
  s.clock.advance(28 * day)
  await s.picture()
  await s.outbox.idle()
  t.equal(s.uploads().length, 1)
  const other = await aConversation(s.databases, s.orgId, { to: '5491155550000', connectionId: 'second' })
  await s.write(s.orgId, other, '', aPicture())
  await s.outbox.idle()
  t.equal(s.uploads().length, 2, 'an id of one number is nothing to another')
  s.clock.advance(2 * day)
  await s.picture()
  await s.outbox.idle()
  t.equal(s.uploads().length, 3, 'one that is about to expire is made anew')
  const neighbour = await anOrg(s.databases)
  s.status.set(neighbour, { status: 'connected', statusReason: null })
  await s.write(neighbour, await aConversation(s.databases, neighbour), '', aPicture())
  await s.outbox.idle()
  t.equal(s.uploads().length, 4, 'the same file of another organization is another file')
})

t.test('a copy that WhatsApp lost is uploaded again, once', async t => {
  const s = await begun(t)
  await s.picture()
  await s.outbox.idle()
  s.graph.on(send, graphError(100), 1)
  const { id } = await s.picture()
  await s.outbox.idle()
  t.match(await s.message(id), { wamid: /^wamid/ })
  t.equal(s.uploads().length, 2)
  s.graph.on(send, graphError(100), 5)
  const { id: refused } = await s.picture()
  await s.outbox.idle()
  t.match(await s.message(refused), { status: 'failed', error_code: '100' })
  t.equal(s.uploads().length, 3)
})

t.test('a cancelled message removes its file from the queue', async t => {
  const s = await begun(t)
  s.graph.on(upload, graphError(131016, 503), 1)
  const { id } = await s.picture()
  await s.outbox.idle()
  await s.writes.tell(s.orgId, async write => {
    t.equal(await s.outbox.cancelMessage(write, id), 'cancelled')
  })
  const after = await s.write(s.orgId, s.chat, 'sin foto')
  await s.outbox.idle()
  t.match(await s.message(after), { wamid: /^wamid/ }, 'what follows does not wait for it')
  s.clock.advance(minute)
  await s.outbox.idle()
  t.equal(s.uploads().length, 1)
})

t.test('a token refused for the file stops the number and fails the message', async t => {
  const s = await begun(t)
  s.graph.on(upload, graphError(190, 401), 1)
  const { id } = await s.picture()
  await s.outbox.idle()
  t.match(s.marks, [['reauthorise', s.orgId, '190']])
  t.match(await s.message(id), { status: 'failed', error_code: '190' })
  t.same(s.graph.taken(), [])
})
