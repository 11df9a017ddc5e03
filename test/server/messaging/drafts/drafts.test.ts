import t from 'tap'
import { seesSome } from '#server/identity/visibility/scope.ts'
import { createDrafts, createDraftsOfLeavers } from '#server/messaging/drafts/drafts.ts'
import { mergeDrafts } from '#server/messaging/drafts/store.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import type { KeyHolder, OrgCaller } from '#server/platform/http/actor.ts'
import { draftLimits, draftMaxChars } from '#shared/inbox/drafts.ts'
import { writingMs } from '#shared/inbox/presence.ts'
import { aMember } from '#test/helpers/actors.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'

const phone = '5491155550101'

const aStage = async () => {
  const stage = await anInbox()
  await stage.apply(aMessage({ sender: { waId: phone } }))
  const { databases, ana, drafts } = stage
  const beto = await aMember({ databases, org: ana.org, role: 'member', name: 'Beto' })
  stage.events.length = 0
  type Who = typeof ana
  const params = { phone }
  const save = async (who: Who, text: string, device?: string) =>
    drafts.saveDraft(who.member, { params, body: { text, ...(device === undefined ? {} : { device }) } })
  const take = async (who: Who, from: Who) =>
    (await drafts.takeDraft(who.member, { params, body: { personId: from.user.id } })).text
  const list = async (who: Who) => drafts.listDrafts(who.member, {})
  const inChat = async (who: Who) => (await drafts.listChatDrafts(who.member, { params })).items
  const rows = () => databases.read.selectFrom('chat_draft').selectAll().execute()
  return { ...stage, beto, save, take, list, inChat, rows }
}

t.test('a draft belongs to its author on every device and is visible to the team', async t => {
  const { ana, beto, save, list, inChat, events, clock } = await aStage()
  await save(ana, 'Ya te', 'telefono')
  clock.advance(1000)
  await save(beto, 'Hola, ')
  t.same(await list(ana), {
    own: [{ phone, text: 'Ya te' }],
    others: [{ phone, person: { id: beto.user.id, name: 'Beto' } }],
  })
  t.match(await list(beto), { own: [{ text: 'Hola, ' }], others: [{ person: { id: ana.user.id } }] })
  t.match(await inChat(ana), [
    { text: 'Hola, ', own: false, person: { name: 'Beto' } },
    { text: 'Ya te', own: true },
  ])
  t.match(events, [
    { type: 'draft', number: phone, data: { person: { id: ana.user.id }, isGone: false, device: 'telefono' } },
    { type: 'draft', data: { person: { id: beto.user.id }, isGone: false } },
  ])
  t.notOk(JSON.stringify(events).includes('Ya te'), 'no words of it stand in the events')
})

t.test('the author continues a draft; emptying or sending deletes it with one event', async t => {
  const { ana, save, list, events } = await aStage()
  await save(ana, 'Ya te')
  await save(ana, 'Ya te lo mando')
  t.same((await list(ana)).own, [{ phone, text: 'Ya te lo mando' }])
  events.length = 0
  await save(ana, ' \n ')
  await save(ana, '')
  t.same(await list(ana), { own: [], others: [] })
  t.match(events, [{ data: { isGone: true } }])
  t.equal(events.length, 1)
})

t.test('a colleague who takes a draft over gets it after their own text, and its author is told', async t => {
  const { ana, beto, save, take, list, events } = await aStage()
  await save(ana, 'El pedido sale hoy')
  await save(beto, 'Hola Lucía:')
  events.length = 0
  t.equal(await take(beto, ana), 'Hola Lucía:\nEl pedido sale hoy')
  t.same(await list(ana), { own: [], others: [{ phone, person: { id: beto.user.id, name: 'Beto' } }] })
  t.match(events, [
    { data: { person: { id: ana.user.id }, isGone: true, takenBy: { name: 'Beto' } } },
    { data: { person: { id: beto.user.id }, isGone: false } },
  ])
  await t.rejects(take(beto, ana), { code: 'DRAFTS_NOT_FOUND' }, 'two cannot take it')
  await t.rejects(take(beto, beto), { code: 'DRAFTS_NOT_FOUND' })
})

t.test('a draft cannot be taken over while its author is typing', async t => {
  const { ana, beto, save, take, presence, rows, clock } = await aStage()
  await save(ana, 'El pedido')
  await presence.setPresence(ana.member, { params: { phone }, body: { state: 'writing' } })
  await t.rejects(take(beto, ana), { code: 'DRAFTS_BEING_WRITTEN' })
  t.match(await rows(), [{ person_id: ana.user.id, text: 'El pedido' }], 'refused, it is still theirs')
  clock.advance(writingMs + 1)
  t.equal(await take(beto, ana), 'El pedido')
})

t.test('a program adds to the draft of who made its key, unless they are typing', async t => {
  const { ana, beto, drafts, list, presence, rows, events, clock } = await aStage()
  const { orgId, orgSlug, orgName, scope, language } = ana.member
  const key: KeyHolder = {
    ...{ orgId, orgSlug, orgName, scope, language, role: 'owner', kind: 'key', name: 'Agente' },
    ...{ keyId: 'k', capabilities: null, creatorId: ana.user.id },
  }
  const propose = async (text: string, who: OrgCaller = key) =>
    drafts.proposeDraft(who, { params: { phone }, body: { text } })
  const person = { id: ana.user.id, name: ana.member.name }
  t.same(await propose('Sí, hacemos'), { person, text: 'Sí, hacemos' })
  t.match(events, [{ type: 'draft', number: phone, data: { person, isGone: false } }])
  t.same(await propose('¿A dónde?'), { person, text: 'Sí, hacemos\n¿A dónde?' }, 'what was there stays')
  t.match(await list(ana), { own: [{ phone, text: 'Sí, hacemos\n¿A dónde?' }] })
  t.match(await list(beto), { own: [], others: [{ person }] })
  t.match(await propose('Hola', beto.member), { person: { id: beto.user.id }, text: 'Hola' })
  const borrowed = { ...ana.member, impersonatedBy: beto.user.id }
  const before = await rows()
  await propose('de otra persona', borrowed)
  t.same(await rows(), before, 'an impersonator leaves none')
  await presence.setPresence(ana.member, { params: { phone }, body: { state: 'writing' } })
  await t.rejects(propose('x'), { code: 'DRAFTS_BEING_WRITTEN' })
  clock.advance(writingMs + 1)
  await t.rejects(propose('x'.repeat(draftMaxChars)), { code: 'DRAFTS_TOO_LONG' })
})

t.test('a member who may not see the conversation gets no event of its drafts', async t => {
  const { ana, beto, save, drafts } = await aStage()
  await save(ana, 'Reservado')
  const blind = { ...beto.member, scope: seesSome({ tagIds: [], assigneeId: beto.user.id }) }
  t.same(await drafts.listDrafts(blind, {}), { own: [], others: [] })
  for (const asked of [
    async (): Promise<unknown> => drafts.listChatDrafts(blind, { params: { phone } }),
    async (): Promise<unknown> => drafts.saveDraft(blind, { params: { phone }, body: { text: 'x' } }),
    async (): Promise<unknown> => drafts.takeDraft(blind, { params: { phone }, body: { personId: ana.user.id } }),
    async (): Promise<unknown> => drafts.proposeDraft(blind, { params: { phone }, body: { text: 'x' } }),
  ])
    await t.rejects(asked, { code: 'INBOX_CHAT_NOT_FOUND' })
})

t.test('an impersonator leaves no draft in the impersonated member’s name', async t => {
  const { ana, beto, drafts, rows, events } = await aStage()
  const borrowed = { ...ana.member, impersonatedBy: beto.user.id }
  await drafts.saveDraft(borrowed, { params: { phone }, body: { text: 'Hola' } })
  t.same(await rows(), [])
  t.same(events, [])
})

t.test('the number and length of drafts are limited', async t => {
  const { ana, beto, save, take, databases, rows, orgId, write } = await aStage()
  await save(ana, 'x'.repeat(draftMaxChars))
  await save(beto, 'y')
  await t.rejects(take(beto, ana), { code: 'DRAFTS_TOO_LONG' })
  t.equal((await rows()).length, 2, 'and both keep theirs')
  await save(ana, '')
  const conversation = await databases.read.selectFrom('conversation').selectAll().executeTakeFirstOrThrow()
  await inTransaction(databases, async trx => {
    const more = Array.from({ length: draftLimits.ofPerson }, (_, i) => `c${i}`)
    const contact = await trx.selectFrom('contact').selectAll().executeTakeFirstOrThrow()
    for (const id of more) {
      await trx
        .insertInto('contact')
        .values({ ...contact, id, wa_id: null })
        .execute()
      await trx
        .insertInto('conversation')
        .values({ ...conversation, id, contact_id: id })
        .execute()
      await trx
        .insertInto('chat_draft')
        .values({ conversation_id: id, person_id: ana.user.id, org_id: orgId, name: 'Ana', text: 'z', saved_at: '' })
        .execute()
    }
  })
  await t.rejects(save(ana, 'uno más'), { code: 'DRAFTS_TOO_MANY' })
  const most = 'z'.repeat(draftMaxChars)
  await databases.write
    .updateTable('chat_draft')
    .set({ text: most })
    .where('conversation_id', 'in', ['c0', 'c1'])
    .execute()
  await write(one => mergeDrafts(one.db, orgId, { gone: 'c0', kept: 'c1' }))
  const united = (await rows()).filter(row => row.conversation_id === 'c0' || row.conversation_id === 'c1')
  t.match(united, [{ conversation_id: 'c1', text: most }], 'two chats that become one keep a draft of that length')
  t.equal(united.length, 1)
})

t.test('abandoned drafts are deleted after a while, and those of members who left', async t => {
  const { ana, beto, save, parts, clock, rows, write } = await aStage()
  await save(ana, 'Viejo')
  clock.advance(draftLimits.days * 24 * 3_600_000 + 1)
  await save(beto, 'Nuevo')
  t.equal(await createDrafts(parts).prune(clock.now()), 1)
  t.match(await rows(), [{ text: 'Nuevo' }])
  await write(one => createDraftsOfLeavers().handle(one, [{ type: 'member.left', data: { userId: beto.user.id } }]))
  t.same(await rows(), [])
})

t.test('a draft keeps its quoted message, on other devices and for a colleague who takes it over', async t => {
  const { ana, beto, drafts, list, inChat, databases, rows } = await aStage()
  const params = { phone }
  const message = await databases.read.selectFrom('message').selectAll().executeTakeFirstOrThrow()
  const save = async (who: typeof ana, text: string, replyToMessageId?: string) =>
    drafts.saveDraft(who.member, { params, body: { text, ...(replyToMessageId ? { replyToMessageId } : {}) } })
  const take = async (who: typeof ana, from: typeof ana) =>
    drafts.takeDraft(who.member, { params, body: { personId: from.user.id } })
  const quote = { id: message.id, wamid: message.wamid, direction: 'in', type: 'text', text: message.text }

  await save(ana, 'Sí', message.id)
  t.match((await list(ana)).own, [{ phone, text: 'Sí', replyTo: quote }])
  t.match(await inChat(beto), [{ text: 'Sí', replyTo: quote }])
  await save(beto, 'Hola')
  t.match(await take(beto, ana), { text: 'Hola\nSí', replyTo: quote })
  t.match((await list(beto)).own, [{ replyTo: quote }])
  await save(beto, 'Hola')
  t.equal((await list(beto)).own[0]?.replyTo, undefined, 'it was taken out')

  await save(ana, 'Sí', 'nothing of this chat')
  t.equal((await list(ana)).own[0]?.replyTo, undefined, 'there is no such message')
  await save(ana, 'Sí', message.id)
  await inTransaction(databases, trx =>
    trx.updateTable('message').set({ revoked_at: message.at }).where('id', '=', message.id).execute(),
  )
  t.same((await list(ana)).own, [{ phone, text: 'Sí' }], 'it was deleted')
  t.equal((await inChat(ana)).find(one => one.own)?.replyTo, undefined)
  t.same(await take(beto, ana), { text: 'Hola\nSí' })
  t.match(await rows(), [{ person_id: beto.user.id, reply_to: null }])
})
