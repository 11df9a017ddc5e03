import t from 'tap'
import { countSlice } from '#server/features/stats/cost/counting.ts'
import { pruneSent } from '#server/features/stats/cost/retention.ts'
import { addDueMessages } from '#server/features/stats/cost/sent-store.ts'
import { keptMs } from '#server/features/stats/segments/retention.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { freeReplies } from '#shared/stats/cost.ts'
import { aMember } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { randomCases } from '#test/helpers/night.ts'
import { aHistory, chance } from '#test/helpers/segment-history.ts'
import { up } from '../../../../../migrations/0047-unconfirmed-in-sums.ts'

const day = 86_400_000
const zone = 'America/Argentina/Buenos_Aires'
const start = Date.parse('2026-10-05T12:00:00.000Z')

const aRoom = async () => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const { org } = await aMember({ databases })
  const history = aHistory(databases, org.id)
  const count = async (messages = 7) => {
    for (let found = 'slice'; found !== 'nothing'; )
      ({ found } = await inTransaction(databases, trx =>
        countSlice(trx, { readTimeZone: async () => zone }, { messages, due: 3 }),
      ))
  }
  const sums = async () => {
    const rows = await databases.read.selectFrom('sent_day').selectAll().where('org_id', '=', org.id).execute()
    return rows.filter(({ sent }) => sent > 0)
  }
  return { databases, orgId: org.id, count, sums, ...history }
}

interface Message {
  readonly conversationId: string
  readonly at: number
  readonly type: 'text' | 'template' | 'note' | 'system'
  readonly direction: 'in' | 'out'
  readonly author: string | null
  status: string
  pricing: string | null
  readonly template?: string
}

const insert = async (databases: Databases, orgId: string, message: Message): Promise<string> => {
  const id = newId()
  const { conversationId, at, type, direction, author, status, pricing, template } = message
  await databases.write
    .insertInto('message')
    .values({
      ...{ id, org_id: orgId, conversation_id: conversationId, direction, type, text: 'x', status, pricing },
      content: template ? JSON.stringify({ template: { id: template, name: template } }) : null,
      at: new Date(at).toISOString(),
      delivered_at: status === 'delivered' ? new Date(at).toISOString() : null,
      author_kind: author,
    } as never)
    .execute()
  return id
}

/** What the plainest count says: every message looked at, one after the other. */
const plainSums = (messages: readonly (Message & { country: string })[]) => {
  const sums = new Map<string, number>()
  const add = (key: string) => sums.set(key, (sums.get(key) ?? 0) + 1)
  for (const message of messages) {
    const { at, type, direction, author, status, template, country, conversationId } = message
    if (direction !== 'out' || type === 'note' || author === 'phone' || author === 'metaAgent' || status === 'queued')
      continue
    const local = new Date(at - 3 * 3_600_000).toISOString().slice(0, 10)
    const key = `${local} ${country} ${template ?? ''}`
    add(`${key} sent`)
    if (status === 'delivered' || status === 'read') add(`${key} delivered`)
    if (status === 'read') add(`${key} read`)
    if (status === 'failed') add(`${key} failed`)
    if (!template) continue
    const later = messages.filter(
      other =>
        other.conversationId === conversationId &&
        other.direction === 'in' &&
        other.type !== 'system' &&
        other.at >= at &&
        other.at - at <= 7 * day,
    )
    const isLastBefore = (reply: Message) =>
      !messages.some(
        other =>
          other.conversationId === conversationId &&
          other.template !== undefined &&
          other.direction === 'out' &&
          other.at > at &&
          other.at <= reply.at &&
          other.status !== 'queued',
      )
    if (later.some(isLastBefore)) add(`${key} replied`)
  }
  return Object.fromEntries([...sums].sort())
}

t.test('sums are those of the plainest count, whatever the order of statuses', async t => {
  for (let seed = 1; seed <= randomCases({ day: 4, night: 60 }); seed += 1) {
    const { databases, orgId, count, sums, conversation } = await aRoom()
    const next = chance(seed)
    // A template that leaves after the customer wrote is answered by what they wrote before: only whether it is counted
    // in the order of arrival or of time differs then.
    const statuses = seed % 2 ? ['sent', 'delivered', 'failed'] : ['queued', 'sent', 'delivered', 'failed']
    const pick = <T>(some: readonly T[]): T => some[Math.floor(next() * some.length)] as T
    const places = [
      { country: 'AR', waId: '5491155550101' },
      { country: 'UY', waId: '59899123456' },
      { country: '??', waId: '999' },
    ]
    const chats = []
    for (const place of places) chats.push({ ...place, ...(await conversation({ waId: place.waId })) })
    const said: (Message & { id: string; country: string })[] = []
    for (let i = 0, at = start; i < 60; i += 1, at += Math.floor(next() * day)) {
      const chat = pick(chats)
      const isOurs = next() < 0.7
      const template = isOurs && next() < 0.5 ? pick(['promo', 'aviso']) : undefined
      const message: Message = {
        conversationId: chat.id,
        at: at + i,
        type: template ? 'template' : pick(['text', 'text', 'text', isOurs ? 'note' : 'system'] as const),
        direction: isOurs ? 'out' : 'in',
        author: isOurs
          ? template
            ? pick(['bulk', 'person', 'bot'])
            : pick(['person', 'bot', 'api', 'phone', 'metaAgent'])
          : null,
        status: isOurs ? pick(statuses) : 'received',
        pricing: null,
        ...(template ? { template } : {}),
      }
      said.push({ ...message, country: chat.country, id: await insert(databases, orgId, message) })
      if (next() < 0.2) await count(pick([1, 7, 50]))
      if (next() < 0.5) {
        const changed = pick(said)
        if (changed.direction !== 'out') continue
        changed.status = pick(['sent', 'delivered', 'read', 'failed'])
        await databases.write
          .updateTable('message')
          .set({ status: changed.status, delivered_at: null })
          .where('id', '=', changed.id)
          .execute()
        await addDueMessages(databases.write, [{ messageId: changed.id }], { orgId, optedOut: 0 })
      }
    }
    await count()
    const got = new Map<string, number>()
    for (const row of await sums())
      for (const name of ['sent', 'delivered', 'read', 'failed', 'replied'] as const) {
        const key = `${row.day} ${row.country} ${row.template} ${name}`
        if (row[name]) got.set(key, (got.get(key) ?? 0) + row[name])
      }
    const wanted = plainSums(said)
    const withoutReplies = (all: Record<string, number>) =>
      Object.fromEntries(Object.entries(all).filter(([key]) => !key.endsWith('replied')))
    const compared = seed % 2 ? (all: Record<string, number>) => all : withoutReplies
    t.same(compared(Object.fromEntries([...got].sort())), compared(wanted), `seed ${seed}`)
    const messages = await databases.read.selectFrom('sent_message').select('message_id').execute()
    t.equal(
      messages.length,
      Object.entries(wanted).reduce((sum, [key, many]) => sum + (key.endsWith(' sent') ? many : 0), 0),
      'one row for each',
    )
    await databases.close()
  }
})

t.test(
  'a reply in the second in which a template left counts, although WhatsApp cuts its time to that second',
  async t => {
    const { databases, orgId, count, sums, conversation } = await aRoom()
    const { id: conversationId } = await conversation({ waId: '5491155550101' })
    const of = { conversationId, pricing: null } as const
    const sent = {
      ...of,
      type: 'template',
      direction: 'out',
      author: 'bulk',
      status: 'sent',
      template: 'promo',
    } as const
    const reply = { ...of, type: 'text', direction: 'in', author: null, status: 'received' } as const
    await insert(databases, orgId, { ...sent, at: start + 400 })
    await insert(databases, orgId, { ...reply, at: start - 1_000 })
    await count()
    t.match(await sums(), [{ replied: 0 }], 'what they wrote the second before is no reply')
    await insert(databases, orgId, { ...reply, at: start })
    await count()
    t.match(await sums(), [{ replied: 1 }])
  },
)

t.test('an unconfirmed message was sent and has not failed, and older sums are counted again', async t => {
  const { databases, orgId, count, sums, conversation } = await aRoom()
  const { write } = databases
  const chat = await conversation({ waId: '5491155550101' })
  const of = { conversationId: chat.id, type: 'template', direction: 'out', author: 'person', pricing: null } as const
  const [lost, refused] = [
    await insert(databases, orgId, { ...of, at: start, status: 'failed', template: 'promo' }),
    await insert(databases, orgId, { ...of, at: start + 1, status: 'failed', template: 'promo' }),
  ]
  await write.updateTable('message').set({ error_code: '131026' }).where('id', '=', refused).execute()
  await count()
  t.match(await sums(), [{ sent: 2, failed: 2 }], 'as they were counted before')
  await write.updateTable('message').set({ error_code: 'UNCONFIRMED' }).where('id', '=', lost).execute()
  await up(write as never)
  await count()
  t.match(await sums(), [{ sent: 2, failed: 1 }])
})

t.test('what Meta bills, and what is free, is as Meta says, and otherwise by its rules', async t => {
  const { databases, orgId, count, sums, conversation } = await aRoom()
  const { id } = await conversation({ waId: '5491155550101' })
  const { id: fromAd } = await conversation({ waId: '5491155550102' })
  await databases.write
    .updateTable('conversation')
    .set({ free_until: '2026-10-08T00:00:00.000Z' })
    .where('id', '=', fromAd)
    .execute()
  const say = (more: Partial<Message>) =>
    insert(databases, orgId, {
      ...{ conversationId: id, at: start, type: 'text', direction: 'out', author: 'person' },
      ...{ status: 'delivered', pricing: null },
      ...more,
    })
  await say({})
  await say({ at: Date.parse('2026-09-30T12:00:00.000Z') })
  await say({ pricing: 'free_customer_service:service' })
  await say({ pricing: 'free_entry_point:referral_conversion' })
  await say({ conversationId: fromAd })
  await say({ type: 'template', template: 'promo', pricing: 'regular:marketing' })
  await say({ type: 'template', template: 'promo', pricing: 'regular:utility', status: 'sent' })
  await say({ type: 'template', template: 'promo', author: 'bulk' })
  await count()
  const found = (await sums()).map(({ category, charge, source, sent }) => `${category} ${charge} ${source} ${sent}`)
  t.same(found.toSorted(), [
    'marketing regular template 1',
    'service allowance reply 1',
    'service entry reply 2',
    'service window reply 1',
    'service window reply 1',
    'unknown regular bulk 1',
    'utility none template 1',
  ])
})

t.test('the first replies of a month are free for each number, and a status changes nothing of that', async t => {
  const { databases, orgId, count, sums, conversation } = await aRoom()
  const { id } = await conversation({ waId: '5491155550101' })
  await databases.write
    .insertInto('reply_month')
    .values({ connection_id: 'number', month: '2026-10', org_id: orgId, count: freeReplies - 1, notified: 0 })
    .execute()
  const reply = () =>
    insert(databases, orgId, {
      ...{ conversationId: id, at: start, type: 'text', direction: 'out', author: 'person' },
      ...{ status: 'delivered', pricing: 'regular:service' },
    })
  const last = await reply()
  await reply()
  const charges = async () => Object.fromEntries((await sums()).map(({ charge, delivered }) => [charge, delivered]))
  await count()
  t.same(await charges(), { allowance: 1, regular: 1 })
  await databases.write.updateTable('message').set({ status: 'read' }).where('id', '=', last).execute()
  await addDueMessages(databases.write, [{ messageId: last }], { orgId, optedOut: 0 })
  await count()
  t.same(await charges(), { allowance: 1, regular: 1 })
  const { count: used } = await databases.read.selectFrom('reply_month').select('count').executeTakeFirstOrThrow()
  t.equal(used, freeReplies + 1)
})

t.test('what an erased contact leaves is a count without them, and old messages leave their sums', async t => {
  const { databases, orgId, count, sums, conversation } = await aRoom()
  const { id } = await conversation({ waId: '5491155550101' })
  const message = await insert(databases, orgId, {
    ...{ conversationId: id, at: start, type: 'template', direction: 'out', author: 'bulk' },
    ...{ status: 'delivered', pricing: null, template: 'promo' },
  })
  await addDueMessages(databases.write, [{ messageId: message }], { orgId, optedOut: 1 })
  await count()
  await databases.write.deleteFrom('conversation').where('id', '=', id).execute()
  await count()
  t.match(await sums(), [{ sent: 1, delivered: 1, opted_out: 1 }])
  const row = await databases.read.selectFrom('sent_message').selectAll().executeTakeFirstOrThrow()
  t.match(row, { conversation_id: null, opted_out: 1 })
})

t.test('messages and their sums are deleted when they are as old as segments get', async t => {
  const { databases, orgId, count, sums, conversation } = await aRoom()
  const { id } = await conversation({ waId: '5491155550101' })
  const send = (at: number) =>
    insert(databases, orgId, {
      ...{ conversationId: id, at, type: 'template', direction: 'out', author: 'bulk' },
      ...{ status: 'delivered', pricing: null, template: 'promo' },
    })
  const kept = await send(start)
  for (let i = 0; i < 320; i += 1) await send(start - keptMs - i * day)
  await count(200)
  const clock = handClock(new Date(start + day).toISOString())
  t.equal(await pruneSent(databases, clock), 640)
  t.equal(await pruneSent(databases, clock), 0)
  t.match(await sums(), [{ day: '2026-10-05', sent: 1 }])
  t.match(await databases.read.selectFrom('sent_message').selectAll().execute(), [{ message_id: kept }])
})
