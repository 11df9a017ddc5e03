import t from 'tap'
import { setFlags } from '#server/messaging/conversations/changes/flags-store.ts'
import { ageSimulated } from '#server/messaging/conversations/changes/simulated-time.ts'
import { listConversations } from '#server/messaging/conversations/list/list-store.ts'
import { findRows, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { findConversation, findConversationId } from '#server/messaging/conversations/rows/store.ts'
import { findConversationIds } from '#server/messaging/conversations/search/search.ts'
import { findContacts } from '#server/messaging/directory/contact-store.ts'
import { runMerges } from '#server/messaging/directory/merge.ts'
import { findTargets } from '#server/messaging/messages/changes/store.ts'
import { applyDelivery } from '#server/messaging/messages/delivery/delivery.ts'
import { findDeliveries } from '#server/messaging/messages/delivery/store.ts'
import { findPlace, listThread } from '#server/messaging/messages/history/thread-store.ts'
import { findMessages, readQuotes, readReactions } from '#server/messaging/messages/message-store.ts'
import { findAttempts } from '#server/messaging/outbox/attempts.ts'
import { findByClientKey, findMessage, findQuotable } from '#server/messaging/sending/send-store.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { type AnInbox, anInbox } from '#test/helpers/inbox.ts'
import { aMessage, anEdit, anIdentity, aReaction, aRevoke, aStatus, lucia } from '#test/helpers/items.ts'
import { wholeOrganization } from '#test/helpers/viewers.ts'

const phone = lucia.waId as string
const key = { kind: 'phone', key: phone, value: phone } as const

/** All rows of an organization in the messaging tables. */
const everythingOf = async ({ databases, orgId }: AnInbox) => {
  const tables = [
    'contact',
    'contact_identity',
    'tag',
    'contact_tag',
    'conversation',
    'message',
    'reaction',
    'media',
    'pending_effect',
  ] as const
  const rows = tables.map(table => databases.read.selectFrom(table).selectAll().where('org_id', '=', orgId).execute())
  return JSON.stringify(await Promise.all(rows))
}

/** Two organizations on one installation; Lucía has written to the first, which answered. */
const neighbours = async () => {
  const a = await anInbox()
  const b = await anInbox(a)
  await a.connect()
  const inbound = aMessage({
    words: 'secreto',
    body: { type: 'image', text: 'secreto', media: { providerId: '1', mime: 'image/png' } },
  })
  await a.apply(inbound, aReaction({ targetWamid: inbound.wamid }))
  const clientKey = newId()
  const sent = await a.inbox.sendMessage(a.ana.member, { body: { message: 'respuesta', numberTel: phone, clientKey } })
  const row = await a.databases.read.selectFrom('conversation').selectAll().executeTakeFirstOrThrow()
  const db = a.databases.write
  await db.insertInto('tag').values({ id: 'tag-a', org_id: a.orgId, label: 'VIP', created_at: '' }).execute()
  await db.insertInto('contact_tag').values({ contact_id: row.contact_id, tag_id: 'tag-a', org_id: a.orgId }).execute()
  await db
    .insertInto('message_attempt')
    .values({
      org_id: a.orgId,
      message_id: sent.id,
      callback: 'cb',
      started_at: '',
      ended_at: null,
      outcome: null,
      http_status: null,
      error_code: null,
      error_detail: null,
      wamid: null,
    })
    .execute()
  const [first] = (await a.inbox.listMessages(a.ana.member, { params: { phone }, query: {} })).items
  return { a, b, inbound, sent, row, clientKey, first: first?.id as string }
}

t.test('no read of the store returns rows of another organization', async t => {
  const { a, b, inbound, sent, row, clientKey, first } = await neighbours()
  const db = a.databases.read
  const page = { page: 1, pageSize: 50 }
  const reads: Record<string, (orgId: string) => Promise<unknown>> = {
    findConversation: org => findConversation(db, wholeOrganization(org), key),
    findConversationId: org => findConversationId(db, wholeOrganization(org), key),
    findPlace: org => findPlace(db, wholeOrganization(org), row.id, first),
    listConversations: async org =>
      (await listConversations(db, wholeOrganization(org), { ...page, archived: false })).rows,
    searched: async org =>
      (await listConversations(db, wholeOrganization(org), { ...page, archived: false, search: 'secreto' })).rows,
    searchedNumber: async org =>
      (await listConversations(db, wholeOrganization(org), { ...page, archived: false, search: '5555' })).rows,
    tagged: async org =>
      (await listConversations(db, wholeOrganization(org), { ...page, archived: false, tags: ['tag-a'] })).rows,
    findConversationIds: org => findConversationIds(db, wholeOrganization(org), { search: 'lucia', archived: false }),
    listThread: async org =>
      (await listThread(db, wholeOrganization(org), { ...page, conversationId: row.id, before: undefined })).rows,
    listThreadBefore: async org =>
      (await listThread(db, wholeOrganization(org), { ...page, conversationId: row.id, before: { at: '3', seq: 1e9 } }))
        .rows,
    rowsByContact: org => findRows.byContact(db, [row.contact_id], { orgId: org }),
    rowsById: org => findRows.byId(db, [row.id], { orgId: org }),
    tagsOf: async org => [...(await readTagsOfContacts(db, org, [row.contact_id])).values()],
    contactsById: org => findContacts.byId(db, [row.contact_id], { orgId: org }),
    contactsByKey: org => findContacts.byKey(db, [phone], { orgId: org, kind: 'phone' }),
    messagesById: org => findMessages.byId(db, [first], { orgId: org }),
    readQuotes: async org => [...(await readQuotes(db, org, [{ reply_to_wamid: inbound.wamid }])).values()],
    readReactions: async org => [...(await readReactions(db, org, [first])).values()],
    deliveriesById: org => findDeliveries.byId(db, [sent.id], { orgId: org }),
    findAttempts: org => findAttempts(db, ['cb'], { orgId: org }),
    findTargets: org => findTargets(db, [inbound.wamid], { orgId: org }),
    findMessage: org => findMessage(db, wholeOrganization(org), sent.id),
    findByClientKey: org => findByClientKey(db, wholeOrganization(org), a.ana.user.id, clientKey),
    findQuotable: org => findQuotable(db, wholeOrganization(org), row.id, first),
  }
  const isNothing = (found: unknown) => found === undefined || (Array.isArray(found) && found.length === 0)
  for (const [name, read] of Object.entries(reads)) {
    t.notOk(isNothing(await read(a.orgId)), `${name}: its own`)
    t.ok(isNothing(await read(b.orgId)), `${name}: the other's`)
  }
})

t.test('no call of one organization with ids of another changes a row of the other', async t => {
  const { a, b, inbound, sent, row, first } = await neighbours()
  const other = aMessage({ sender: { waId: '5491166667777' } })
  await b.connect('5491150000002')
  await b.apply(other)
  const before = await everythingOf(a)
  const { member } = b.ana
  const mine = { params: { phone } }
  const parts = { clock: a.clock }
  const emitted = await b.write(async write => {
    const { db } = write
    await setFlags(db, b.orgId, [row.id], { archived: 1, unread: 9 })
    await ageSimulated({ run: work => work(write) }, row.connection_id, 1000)
    const contact = await db.selectFrom('contact').select('id').where('org_id', '=', b.orgId).executeTakeFirstOrThrow()
    t.strictSame(await runMerges(db, b.orgId, [{ loser: row.contact_id, winner: contact.id }]), [])
    for (const target of [{ messageId: sent.id }, { callback: 'cb' }])
      await applyDelivery(write, target, { kind: 'failed', code: '1', at: '' }, parts)
  })
  t.notOk(emitted.some(draft => draft.type === 'status'))
  await b.apply(
    aReaction({ targetWamid: inbound.wamid }),
    anEdit({ targetWamid: inbound.wamid }),
    aRevoke({ targetWamid: inbound.wamid }),
    aStatus({ wamid: 'wamid.z', status: 'read', callback: 'cb' }),
    anIdentity({ previous: lucia, current: { waId: '5491177778888' } }),
  )
  for (const refused of [
    async () => b.inbox.retryMessage(member, { params: { id: sent.id } }),
    async () =>
      b.inbox.sendMessage(member, { body: { message: 'x', numberTel: '5491166667777', replyToMessageId: first } }),
    async () =>
      b.inbox.sendMessage(member, {
        body: { message: 'x', numberTel: '5491166667777', replyToMessageId: inbound.wamid },
      }),
  ])
    await t.rejects(refused)
  t.equal(await everythingOf(a), before)
  // The changed number above made Lucía a contact of the second organization, with its own ids.
  const own = await b.inbox.getConversation(member, mine)
  t.not(own.id, row.id)
  t.strictSame(own.tags, [])
})

t.test('the same customer and the same wamid exist separately in both organizations', async t => {
  const { a, b, inbound } = await neighbours()
  await b.apply(inbound)
  const [mine, theirs] = await Promise.all(
    [a, b].map(stage => stage.inbox.listMessages(stage.ana.member, { params: { phone }, query: {} })),
  )
  t.equal(theirs?.items.length, 1)
  t.not(theirs?.items[0]?.id, mine?.items[0]?.id)
  t.equal(theirs?.items[0]?.reactions, undefined)
})
