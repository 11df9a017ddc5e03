import t from 'tap'
import { seesSome } from '#server/identity/visibility/scope.ts'
import { indexSlice } from '#server/messaging/search/indexing.ts'
import { aMember } from '#test/helpers/actors.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'

const phone = '5491155550101'
const params = { phone }

const aStage = async () => {
  const stage = await anInbox()
  const { databases, ana, clock, notes } = stage
  await stage.apply(aMessage({ sender: { waId: phone } }))
  await stage.connect()
  const beto = await aMember({ databases, org: ana.org, role: 'member' })
  const viewer = await aMember({ databases, org: ana.org, role: 'viewer' })
  clock.advance(60_000)
  stage.events.length = 0
  stage.notices.length = 0
  const add = (text: string, mentions: string[] = [], by = ana.member) =>
    notes.addNote(by, { params, body: { text, mentions } })
  const thread = async () => (await stage.inbox.listMessages(ana.member, { params, query: {} })).items
  return { ...stage, beto, viewer, add, thread }
}

t.test('a note is in the thread for the team and is sent to nobody', async t => {
  const { add, thread, ana, queued, events, databases } = await aStage()
  const rows = () => databases.read.selectFrom('conversation').selectAll().execute()
  const before = await rows()
  const note = await add('  Ojo: paga siempre tarde  ')
  t.match(note, {
    type: 'note',
    direction: 'internal',
    text: 'Ojo: paga siempre tarde',
    author: { kind: 'person', name: ana.user.name },
    note: { authorId: ana.user.id, mentions: [] },
  })
  t.same((await thread()).at(-1), note)
  t.same(await queued(), [], 'nothing is sent')
  t.same(await rows(), before, 'no row of the list moves')
  t.match(events, [{ type: 'internal', data: { number: phone, message: note } }])
})

t.test('a note cannot be answered, reacted to, resent or cancelled', async t => {
  const { add, inbox, ana, queued } = await aStage()
  const { id } = await add('Solo nuestro')
  const send = { numberTel: phone, message: 'Hola', replyToMessageId: id }
  await t.rejects(async () => inbox.sendMessage(ana.member, { body: send }), { code: 'APP_VALIDATION' })
  await t.rejects(async () => inbox.retryMessage(ana.member, { params: { id } }), { code: 'INBOX_MESSAGE_NOT_FOUND' })
  await t.rejects(async () => inbox.cancelMessage(ana.member, { params: { id } }), { code: 'INBOX_MESSAGE_NOT_FOUND' })
  await t.rejects(async () => inbox.reactToMessage(ana.member, { params: { id }, body: { emoji: '👍' } }), {
    code: /INBOX_(REACTION_IMPOSSIBLE|MESSAGE_NOT_FOUND)/,
  })
  t.same(await queued(), [])
})

t.test(
  'a mentioned member is notified once, the author never, and after an edit only newly mentioned members',
  async t => {
    const { add, notes, ana, beto, viewer, notices } = await aStage()
    const note = await add('@Beto mirá', [beto.user.id, ana.user.id])
    t.match(notices, [{ userId: beto.user.id, redirect: `/${phone}` }])
    t.match(note.note?.mentions.map(({ id }) => id).sort(), [ana.user.id, beto.user.id].sort())
    notices.length = 0
    const changed = await notes.changeNote(ana.member, {
      params: { ...params, noteId: note.id },
      body: { text: 'Miren', mentions: [beto.user.id, viewer.user.id] },
    })
    t.match(changed, { text: 'Miren', editedAt: /^2026/ })
    t.match(notices, [{ userId: viewer.user.id }])
  },
)

t.test('only members who may see the conversation are suggested and can be mentioned', async t => {
  const { add, notes, ana, beto, databases, thread } = await aStage()
  const stranger = await aMember({ databases })
  const billing = await aMember({ databases, org: ana.org, role: 'billing' })
  const { items } = await notes.listMentionable(ana.member, { params })
  t.ok(items.some(({ id }) => id === beto.user.id))
  t.notOk(items.some(({ id }) => id === stranger.user.id || id === billing.user.id))
  for (const id of [stranger.user.id, billing.user.id, 'nobody'])
    await t.rejects(async () => add('Mirá', [beto.user.id, id]), { code: 'APP_VALIDATION' })
  t.equal((await thread()).length, 1, 'nothing was stored')
  const hidden = { ...beto.member, scope: seesSome({ tagIds: [], assigneeId: beto.user.id }) }
  for (const call of [
    () => notes.listNotes(hidden, { params, query: {} }),
    () => notes.listMentionable(hidden, { params }),
    () => add('Hola', [], hidden),
  ])
    await t.rejects(async () => call(), { code: 'INBOX_CHAT_NOT_FOUND' })
})

t.test(
  'its author edits a note; author, owner and administrator delete it, which leaves the fact without the text',
  async t => {
    const { add, notes, ana, beto, events, thread } = await aStage()
    const mine = await add('De Beto', [], beto.member)
    const at = { params: { ...params, noteId: mine.id } }
    await t.rejects(async () => notes.changeNote(ana.member, { ...at, body: { text: 'Otra cosa' } }), {
      code: 'INBOX_NOTE_NOT_YOURS',
      status: 403,
    })
    const other = await add('De Ana')
    await t.rejects(async () => notes.deleteNote(beto.member, { params: { ...params, noteId: other.id } }), {
      code: 'INBOX_NOTE_NOT_YOURS',
    })
    events.length = 0
    const gone = await notes.deleteNote(ana.member, at)
    t.match(gone, { text: '', revokedAt: /^2026/, note: undefined })
    t.match(events, [{ type: 'messageChanged', data: { message: { id: mine.id, revokedAt: /^2026/ } } }])
    t.match((await thread()).at(-2), gone)
    await t.rejects(async () => notes.deleteNote(ana.member, at), { code: 'INBOX_NOTE_NOT_FOUND' })
    const { items } = await notes.listNotes(ana.member, { params, query: {} })
    t.same(
      items.map(({ text }) => text),
      ['De Ana'],
    )
  },
)

t.test('the same edit again changes nothing, and a message cannot be edited as a note', async t => {
  const { add, notes, ana, events, thread } = await aStage()
  const note = await add('Igual')
  events.length = 0
  t.same(await notes.changeNote(ana.member, { params: { ...params, noteId: note.id }, body: { text: 'Igual' } }), note)
  t.same(events, [])
  const [message] = await thread()
  await t.rejects(async () => notes.deleteNote(ana.member, { params: { ...params, noteId: message?.id ?? '' } }), {
    code: 'INBOX_NOTE_NOT_FOUND',
  })
})

t.test('search finds notes by their words and by `tipo:nota` until they are deleted', async t => {
  const { add, notes, ana, inbox, databases } = await aStage()
  const note = await add('Prefiere transferencia bancaria')
  const found = async (q: string) =>
    (await inbox.searchMessages(ana.member, { query: { q } })).items.map(({ id }) => id)
  await indexSlice(databases)
  t.same(await found('transferencia'), [note.id])
  t.same(await found('tipo:nota'), [note.id])
  t.same(await found('transferencia de:5491155550101'), [], 'the customer did not say it')
  await notes.deleteNote(ana.member, { params: { ...params, noteId: note.id } })
  t.same(await found('transferencia'), [])
})

t.test('a note without visible characters is refused by its field, on creation and on edit', async t => {
  const { add, notes, ana, thread } = await aStage()
  const note = await add('Se ve')
  const refusal = { code: 'APP_VALIDATION', status: 400, faults: [{ field: 'body.text', code: 'required' }] }
  for (const text of [' ', '\u200b\u2060 \ufe0f', '\u2800\u3164']) {
    await t.rejects(async () => add(text), refusal, JSON.stringify(text))
    await t.rejects(
      async () => notes.changeNote(ana.member, { params: { ...params, noteId: note.id }, body: { text } }),
      refusal,
    )
  }
  t.same((await thread()).at(-1), note, 'nothing was stored')
})

t.test('the notes of a conversation are listed newest first', async t => {
  const { add, notes, ana } = await aStage()
  for (let i = 0; i < 3; i += 1) await add(`Nota ${i}`)
  const { items } = await notes.listNotes(ana.member, { params, query: {} })
  t.same(
    items.map(({ text }) => text),
    ['Nota 2', 'Nota 1', 'Nota 0'],
  )
})
