import fc from 'fast-check'
import t from 'tap'
import { identifierOfAddress, identifiersOf } from '#server/messaging/identifier.ts'
import type { CustomerIds, WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { fold } from '#shared/kernel/fold.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { type AnInbox, anInbox, withoutActivity } from '#test/helpers/inbox.ts'
import { aMessage, anEcho, anEdit, anIdentity, aReaction, aRevoke, aStatus } from '#test/helpers/items.ts'
import { randomCases } from '#test/helpers/night.ts'

const list = async (stage: AnInbox) => (await stage.inbox.listConversations(stage.ana.member, { query: {} })).items
const thread = async (stage: AnInbox, phone: string) =>
  (await stage.inbox.listMessages(stage.ana.member, { params: { phone }, query: {} })).items
const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString()
const say = (stage: AnInbox, second: number, sender: CustomerIds, words = String(second)) =>
  stage.apply(aMessage({ sender, at: at(second), words }))

const spellings = {
  AR: ['5491155551234', '541155551234', '54111555551234'],
  MX: ['5215512345678', '525512345678'],
  BR: ['5511987654321', '551187654321'],
}

for (const [country, [first = '', ...others]] of Object.entries(spellings)) {
  t.test(`${country}: all spellings of a number are one customer, and replies use the latest spelling`, async t => {
    const stage = await anInbox()
    await say(stage, 0, { waId: first, profileName: 'Ana' })
    for (const [i, other] of others.entries()) {
      await say(stage, i + 1, { waId: other })
      t.match(await list(stage), [{ phone: other, name: 'Ana', unread: i + 2 }])
    }
    for (const spelling of [first, ...others, `+${first}`])
      t.equal((await thread(stage, spelling)).length, others.length + 1, spelling)
  })
}

t.test('different numbers stay different contacts', async t => {
  const stage = await anInbox()
  await say(stage, 0, { waId: '5491155551234' })
  await say(stage, 1, { waId: '5491155551235' })
  t.equal((await list(stage)).length, 2)
})

t.test('a customer without a phone number works everywhere, by user id', async t => {
  const stage = await anInbox()
  const bsuid = 'AR.13491208655302741918'
  await say(stage, 0, { bsuid, username: '@lucia', profileName: undefined })
  t.match(await list(stage), [{ phone: bsuid, name: '@lucia', username: 'lucia', displayPhone: '' }])
  const caller = stage.ana.member
  t.match(await stage.inbox.getChatName(caller, { params: { phone: bsuid } }), { phone: bsuid, name: '@lucia' })
  t.equal((await thread(stage, bsuid)).length, 1)
  await stage.connect()
  t.match(await stage.inbox.sendMessage(caller, { body: { message: 'Hola', numberTel: bsuid } }), { status: 'queued' })
  t.match(await stage.inbox.markRead(caller, { params: { phone: bsuid } }), { unread: 0 })
  t.match(await stage.inbox.archiveChat(caller, { body: { phoneNumber: bsuid } }), { archived: true })
})

t.test('a contact known by one identifier is found by every identifier that arrives with it', async t => {
  const stage = await anInbox()
  await say(stage, 0, { waId: '5491155551234', bsuid: 'AR.1' })
  await say(stage, 1, { bsuid: 'AR.1', username: 'lucia' })
  await say(stage, 2, { bsuid: 'AR.1' })
  t.match(await list(stage), [{ phone: '5491155551234', username: 'lucia', unread: 3 }])
})

t.test('two contacts that turn out to be the same person become one, with all their data', async t => {
  const stage = await anInbox()
  await say(stage, 0, { waId: '5491155551234', profileName: 'Lucía' }, 'por número')
  stage.clock.advance(1000)
  await say(stage, 1, { bsuid: 'AR.1' }, 'por usuario')
  const rows = await stage.databases.read
    .selectFrom('conversation')
    .select(['id', 'contact_id'])
    .orderBy('created_at')
    .execute()
  const [older, younger] = rows
  const db = stage.databases.write
  await db
    .insertInto('tag')
    .values({ id: 'tag1', org_id: stage.orgId, label: 'VIP', created_at: at(0) })
    .execute()
  await db
    .insertInto('contact_tag')
    .values({ contact_id: younger?.contact_id as string, tag_id: 'tag1', org_id: stage.orgId })
    .execute()
  await db
    .insertInto('job')
    .values({
      org_id: stage.orgId,
      kind: 'outbox.message',
      lane: 0,
      queue: 'x',
      order_key: `conversation ${younger?.id}`,
      pace_key: '',
      unique_key: null,
      payload: '{}',
      state: 'waiting',
      blocked: 0,
      attempts: 0,
      due_at: at(0),
      added_at: at(0),
    })
    .execute()
  await stage.databases.write.updateTable('contact').set({ note: 'Paga los viernes' }).execute()
  const later = { id: 'later', text: 'Tu pedido', due_at: at(9), ends_on_reply: 0, held_code: null, created_at: at(0) }
  const author = { author_kind: 'person' as const, author_id: stage.ana.user.id, author_name: 'Ana' }
  await db
    .insertInto('scheduled_message')
    .values({ ...later, ...author, org_id: stage.orgId, conversation_id: younger?.id as string })
    .execute()
  await db
    .insertInto('chat_draft')
    .values(
      [older, younger].map((row, i) => ({
        conversation_id: row?.id as string,
        person_id: stage.ana.user.id,
        org_id: stage.orgId,
        name: 'Ana',
        text: `Borrador ${i}`,
        saved_at: at(i),
      })),
    )
    .execute()
  const drafts = await say(stage, 2, { waId: '5491155551234', bsuid: 'AR.1' }, 'los dos')
  t.match(
    drafts.find(draft => draft.type === 'conversation'),
    { data: { mergedFrom: younger?.id, conversation: { id: older?.id } } },
  )
  t.match(await list(stage), [
    { id: older?.id, unread: 3, name: 'Lucía', tags: [{ id: 'tag1', label: 'VIP' }], lastMessage: { text: 'los dos' } },
  ])
  t.strictSame(
    (await thread(stage, 'AR.1')).map(message => message.text),
    ['por número', 'por usuario', 'los dos'],
  )
  const queued = stage.databases.read.selectFrom('job').where('kind', '=', 'outbox.message')
  t.match(await queued.select(['order_key', 'blocked']).execute(), [
    { order_key: `conversation ${older?.id}`, blocked: 0 },
  ])
  t.same(await stage.databases.read.selectFrom('scheduled_message').select(['id', 'conversation_id']).execute(), [
    { id: 'later', conversation_id: older?.id },
  ])
  t.same(await stage.databases.read.selectFrom('chat_draft').select(['text', 'conversation_id']).execute(), [
    { text: 'Borrador 0\nBorrador 1', conversation_id: older?.id },
  ])
  t.same(
    await stage.databases.read.selectFrom('contact').select('note').execute(),
    [{ note: 'Paga los viernes\nPaga los viernes' }],
    'one contact, with what was noted of either',
  )
})

t.test('two new contacts of one batch that its third message links are one contact', async t => {
  const stage = await anInbox()
  await stage.apply(
    aMessage({ sender: { waId: '5491155551234' }, at: at(0) }),
    aMessage({ sender: { bsuid: 'AR.1' }, at: at(1) }),
    aMessage({ sender: { waId: '5491155551234', bsuid: 'AR.1' }, at: at(2) }),
  )
  t.match(await list(stage), [{ unread: 3, phone: '5491155551234' }])
})

t.test('a changed number keeps the thread, and replies go to the new number', async t => {
  const stage = await anInbox()
  await say(stage, 0, { waId: '5491155551234', bsuid: 'AR.1', profileName: 'Lucía' })
  await stage.apply(
    anIdentity({ previous: { waId: '5491155551234' }, current: { waId: '5491166667777', bsuid: 'AR.2' }, at: at(1) }),
  )
  t.match(await list(stage), [{ phone: '5491166667777', name: 'Lucía' }])
  await say(stage, 2, { waId: '5491166667777', bsuid: 'AR.2' })
  t.equal((await list(stage)).length, 1)
  t.strictSame(
    (await thread(stage, '5491166667777')).map(message => message.type),
    ['text', 'system', 'text'],
  )
})

t.test('a late message from the old number belongs to the same customer', async t => {
  const stage = await anInbox()
  await stage.apply(anIdentity({ previous: { waId: '5491155551234' }, current: { waId: '5491166667777' }, at: at(1) }))
  await say(stage, 0, { waId: '5491155551234' })
  t.match(await list(stage), [{ phone: '5491166667777' }])
})

t.test('a number that was given up and reassigned belongs to a new customer', async t => {
  const stage = await anInbox()
  await say(stage, 0, { waId: '5491155551234', bsuid: 'AR.1', profileName: 'Lucía' })
  await stage.apply(
    anIdentity({
      previous: { waId: '5491155551234', bsuid: 'AR.1' },
      current: { waId: '5491166667777', bsuid: 'AR.2' },
      at: at(1),
    }),
  )
  await say(stage, 2, { waId: '5491155551234', bsuid: 'AR.9', profileName: 'Pedro' }, 'soy otro')
  const rows = await list(stage)
  t.strictSame(
    rows.map(row => [row.phone, row.name]),
    [
      ['5491155551234', 'Pedro'],
      ['5491166667777', 'Lucía'],
    ],
  )
  t.strictSame(
    (await thread(stage, '5491155551234')).map(message => message.text),
    ['soy otro'],
  )
})

t.test('a username taken over by somebody else does not open the former owner’s thread', async t => {
  const stage = await anInbox()
  await say(stage, 0, { bsuid: 'AR.1', username: 'lucia' }, 'mío')
  await say(stage, 1, { bsuid: 'AR.2', username: 'lucia' }, 'de otra')
  const rows = await list(stage)
  t.strictSame(
    rows.map(row => [row.phone, row.username]),
    [
      ['AR.2', 'lucia'],
      ['AR.1', null],
    ],
  )
})

t.test('a username alone identifies a contact if nothing contradicts it', async t => {
  const stage = await anInbox()
  await say(stage, 0, { bsuid: 'AR.1', username: 'Lucia' })
  await say(stage, 1, { username: '@lucia' })
  t.match(await list(stage), [{ phone: 'AR.1', unread: 2 }])
})

t.test('the profile name follows the newest message, not the last one to arrive', async t => {
  const stage = await anInbox()
  await say(stage, 5, { waId: '5491155551234', profileName: 'Nueva' })
  await say(stage, 1, { waId: '5491155551234', profileName: 'Vieja' })
  t.match(await list(stage), [{ name: 'Nueva' }])
})

t.test('a single identifier is not written again for every message', async t => {
  const stage = await anInbox()
  await say(stage, 0, { waId: '5491155551234' })
  await say(stage, 30, { waId: '5491155551234' })
  t.match(await stage.databases.read.selectFrom('contact_identity').select('seen_at').execute(), [{ seen_at: at(0) }])
  await stage.apply(aMessage({ sender: { waId: '5491155551234' }, at: '2026-11-22T12:00:00.000Z' }))
  t.match(await stage.databases.read.selectFrom('contact_identity').select('seen_at').execute(), [
    { seen_at: '2026-11-22T12:00:00.000Z' },
  ])
})

t.test('addresses and identifiers are converted into each other', async t => {
  t.equal(identifierOfAddress('hola'), undefined)
  t.equal(identifierOfAddress('0'), undefined)
  t.match(identifierOfAddress('+54 9 11 5555-1234'), { kind: 'phone', key: '5491155551234' })
  t.match(identifierOfAddress('US.ENT.118'), { kind: 'bsuid', key: 'US.ENT.118' })
  t.strictSame(identifiersOf({ waId: '', bsuid: '', username: '@' }), [])
  t.match(identifiersOf({ waId: 'AR.1', bsuid: 'AR.1' }), [{ kind: 'bsuid', key: 'AR.1' }])
  const alike = [
    ['MÉNDEZ ñandú', 'mendez nandu'],
    ['Ça ŻÓŁĆ Šimůnek', 'ca zołc simunek'],
    ['José 👋🏽 Ñ', 'jose 👋🏽 n'],
    ['Jose\u0301', 'jose'],
    ['Ἀθῆναι', 'αθηναι'],
    ['Straße × 2', 'straße × 2'],
  ] as const
  for (const [text, folded] of alike) t.equal(fold(text), folded)
})

/**
 * The state that must not depend on the order of webhooks: no ids, no timestamps of ours, no arrival positions. Numbers
 * are compared by their key, because which of two spellings came last is stored with a resolution of one day.
 */
const state = async (stage: AnInbox) => {
  const db = stage.databases.read
  const contacts = await db
    .selectFrom('contact')
    .innerJoin('conversation', 'conversation.contact_id', 'contact.id')
    .selectAll()
    .execute()
  // Activity entries record the order in which things were done, so they do depend on the order of webhooks.
  const messages = withoutActivity(await db.selectFrom('message').selectAll().execute())
  const reactions = await db
    .selectFrom('reaction')
    .innerJoin('message', 'message.id', 'reaction.message_id')
    .select(['message.wamid', 'reaction.by', 'reaction.emoji', 'reaction.at'])
    .orderBy('message.wamid')
    .execute()
  const wamidOf = new Map(messages.map(message => [message.seq, message.wamid]))
  const addressOf = new Map(contacts.map(row => [row.id, phoneKey(row.wa_id ?? '') || row.bsuid]))
  return JSON.stringify(
    {
      rows: contacts
        .map(row => [
          phoneKey(row.wa_id ?? ''),
          row.bsuid,
          row.username,
          row.profile_name,
          row.control,
          row.archived,
          row.unread,
          row.window_closes_at,
          row.last_activity_at,
          wamidOf.get(row.last_message_seq ?? 0),
          row.last_message_text,
          row.last_message_status,
          row.last_inbound_wamid,
        ])
        .sort(),
      messages: messages
        .map(message => [
          message.wamid,
          addressOf.get(message.conversation_id),
          message.text,
          message.status,
          message.at,
          message.edited_at,
          message.revoked_at,
          message.sent_at,
          message.delivered_at,
          message.read_at,
          message.failed_at,
          message.error_code,
        ])
        .sort(),
      reactions,
      pending: (await db.selectFrom('pending_effect').select('wamid').execute()).length,
    },
    null,
    1,
  )
}

const luciaByNumber: CustomerIds = { waId: '5491155551234', profileName: 'Lucía' }
const luciaById: CustomerIds = { bsuid: 'AR.1', profileName: 'Lucía' }
const luciaWhole: CustomerIds = { ...luciaByNumber, ...luciaById, username: 'lucia' }
const pedro: CustomerIds = { waId: '5491166667777', bsuid: 'AR.5', profileName: 'Pedro' }
const w = (n: number) => `wamid.${n}`
const story: WebhookItem[] = [
  aMessage({ wamid: w(1), sender: luciaByNumber, at: at(1) }),
  aMessage({ wamid: w(2), sender: luciaById, at: at(2) }),
  aMessage({ wamid: w(3), sender: luciaWhole, at: at(3), replyToWamid: w(1) }),
  aMessage({ wamid: w(4), sender: { ...luciaByNumber, waId: '541155551234' }, at: at(4) }),
  anEcho({ wamid: w(5), recipient: pedro, at: at(5) }),
  aMessage({ wamid: w(6), sender: pedro, at: at(6) }),
  aStatus({ wamid: w(5), status: 'sent', at: at(6) }),
  aStatus({ wamid: w(5), status: 'delivered', at: at(7) }),
  aStatus({ wamid: w(5), status: 'read', at: at(8) }),
  aReaction({ targetWamid: w(5), sender: pedro, at: at(9), emoji: '👍' }),
  aReaction({ targetWamid: w(5), sender: pedro, at: at(10), emoji: null }),
  aReaction({ targetWamid: w(5), sender: pedro, at: at(11), emoji: '❤️' }),
  aReaction({ targetWamid: w(1), sender: luciaByNumber, at: at(12), fromUs: true }),
  anEdit({ targetWamid: w(6), at: at(13), text: 'uno' }),
  anEdit({ targetWamid: w(6), at: at(14), text: 'dos' }),
  anEdit({ targetWamid: w(2), at: at(15), text: 'no se ve' }),
  aRevoke({ targetWamid: w(2), at: at(16) }),
  anIdentity({ wamid: w(7), previous: { waId: '5491166667777' }, current: { waId: '5491188889999' }, at: at(17) }),
  anEcho({ wamid: w(8), recipient: luciaWhole, at: at(18) }),
  aStatus({ wamid: w(8), status: 'sent', at: at(19) }),
  aStatus({ wamid: w(8), status: 'failed', at: at(20), failure: { code: '131026', title: 'Undeliverable' } }),
]

t.test('webhooks in any order, batching and repetition give the same result', async t => {
  const reference = await anInbox()
  for (const item of story) await reference.apply(item)
  const expected = await state(reference)
  const everything = fc.shuffledSubarray([...story.keys(), ...story.keys()], {
    minLength: story.length * 2,
    maxLength: story.length * 2,
  })
  await fc.assert(
    fc.asyncProperty(everything, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), async (order, sizes) => {
      const stage = await anInbox()
      const items = order.map(i => story[i] as WebhookItem)
      for (const size of sizes) {
        if (!items.length) break
        await stage.apply(...items.splice(0, size))
      }
      t.equal(await state(stage), expected)
      await stage.databases.close()
    }),
    { numRuns: randomCases({ day: 15, night: 60 }) },
  )
})
