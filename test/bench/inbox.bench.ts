import { seesAll } from '#server/identity/visibility/scope.ts'
import { createContactList } from '#server/messaging/contacts/contact-list.ts'
import { listConversations } from '#server/messaging/conversations/list/list-store.ts'
import { searchEverywhere } from '#server/messaging/conversations/search/find.ts'
import { listThread } from '#server/messaging/messages/history/thread-store.ts'
import { saveContactTerms } from '#server/messaging/search/contact-index.ts'
import { findConversationsByContact } from '#server/messaging/search/contact-search.ts'
import { indexSlice, outlineStretch } from '#server/messaging/search/indexing.ts'
import { findMessages } from '#server/messaging/search/message-search.ts'
import type { Narrowing } from '#server/messaging/search/narrowing.ts'
import { searchWords } from '#server/messaging/search/words.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { systemClock } from '#server/platform/time/clock.ts'
import { conversationsPerPage, messagesPerPage, windowClosingMs } from '#shared/kernel/limits.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { openInstallation, type Volume } from './parts/installation.ts'
import { bound, type Line, option, report } from './parts/report.ts'

export const name = 'inbox'
export const title = 'List, filters, thread, tags and search at 1,000,000 messages, and beside 10,000'

const goalMs = 15
const goalRatio = 1.5
/** Below this, a ratio measures the clock instead of the work. */
const leastMs = 0.5

const maxCalled = 500
/** The search whose answer is smaller in a small volume, so that its ratio is not comparable. */
const manyCalled = 'search: 500 of all who are called so'

const p95 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0

const rareWord = 'ñandubay'
const timesSaid = 5

/** Writes a rare word into the first message and into others at equal distances. */
const sayRarely = async (databases: Databases) => {
  const db = databases.raw.write
  const last = db.prepare('select max(seq) from message').pluck().get() as number
  const say = db.prepare("update message set text = text || ' ' || ? where seq = ?")
  for (let i = 0; i < timesSaid; i += 1) say.run(rareWord, 1 + Math.floor((i * last) / timesSaid))
  while (await indexSlice(databases));
  while (await outlineStretch(databases));
}

/** @returns how many it found */
type Work = (round: number) => Promise<number>

/** Conversations in each lane, more than a page, so that both volumes give the same answer. */
const ofEachLane = conversationsPerPage + 10

const fillLanes = (
  db: Databases['raw']['write'],
  { orgId, me, closesAt }: { orgId: string; me: string; closesAt: string },
) => {
  const lanes = [
    ["control = 'needsHuman'"],
    ["last_message_status = 'failed'"],
    ['window_closes_at = ?', closesAt],
    ['assignee_id = ?', me],
  ] as const
  for (const [i, [state, ...values]] of lanes.entries())
    db.prepare(
      `update conversation set ${state} where id in (select id from conversation where org_id = ? and archived = 0
        order by last_activity_at desc limit ? offset ?)`,
    ).run(...values, orgId, ofEachLane, i * ofEachLane)
}

const namesakes = 500
const sharedName = 'Socia'

/** Gives the same number of customers this name, evenly distributed, in any volume. */
const nameAlike = async ({ read, write }: Databases, orgId: string) => {
  const all = await read
    .selectFrom('contact')
    .select(['id', 'search'])
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute()
  const step = Math.floor(all.length / namesakes)
  const named = all.filter((_, i) => i % step === 0).slice(0, namesakes)
  const renamed = named.map(({ id, search }) => ({ contactId: id, names: `${search} ${sharedName}`, isNew: false }))
  await saveContactTerms(write as OrgDb, orgId, renamed)
}

/** The inbox's queries by name, each on its own connection, as in the product. */
const openWorks = async (volume: Volume) => {
  const place = await openInstallation({ ...volume, people: 1 })
  const databases = openDatabase(place.databasePath)
  const { read: db, write } = databases
  const orgId = place.org.id
  const viewer = { orgId, scope: seesAll }
  const ids = (
    await db.selectFrom('conversation').select(['id', 'contact_id']).where('org_id', '=', orgId).limit(2000).execute()
  ).map(row => ({ conversationId: row.id, contactId: row.contact_id }))
  const [connectionId] = (
    await db.selectFrom('conversation').select('connection_id').where('org_id', '=', orgId).limit(1).execute()
  ).map(row => row.connection_id)
  const at = (round: number) => ids[(round * 37) % ids.length] as (typeof ids)[number]
  const tags = [{ id: newId() }, { id: newId() }]
  const createdAt = new Date().toISOString()
  const labels = tags.map(({ id }, i) => ({ id, org_id: orgId, label: `Etiqueta ${i}`, created_at: createdAt }))
  await write.insertInto('tag').values(labels).execute()
  // Every third customer has the first tag, every ninth the second as well.
  for (const [i, { id }] of tags.entries())
    databases.raw.write
      .prepare(
        `insert into contact_tag (contact_id, tag_id, org_id)
         select contact_id, ?, org_id from conversation where org_id = ? and rowid % ? = 0`,
      )
      .run(id, orgId, 3 ** (i + 1))
  const now = Date.now()
  const closesAt = new Date(now + windowClosingMs / 2).toISOString()
  fillLanes(databases.raw.write, { orgId, me: place.userIds[0] ?? '', closesAt })
  await nameAlike(databases, orgId)
  await sayRarely(databases)
  const closing = { after: new Date(now).toISOString(), until: new Date(now + windowClosingMs).toISOString() }
  const page = { page: 1, pageSize: conversationsPerPage, archived: false }
  const list = (more: object) => async () => (await listConversations(db, viewer, { ...page, ...more })).rows.length
  const contacts = createContactList({ databases, clock: systemClock, translate: (_language, key) => key })
  const said = async (typed: string, more: Narrowing = {}) =>
    (await findMessages(db, viewer, { words: searchWords(typed), ...more, limit: 31 })).seqs.length
  const called = async (typed: string) =>
    (await findConversationsByContact(db, viewer, { typed, limit: maxCalled })).length
  const tagId = tags[0]?.id ?? ''
  const works: Record<string, Work> = {
    'list page': list({}),
    'list page, its tenth': list({ page: 10 }),
    'list: archived': list({ archived: true }),
    'list: unread': list({ isUnread: true }),
    'list: mine': list({ assigneeId: place.userIds[0] }),
    'list: unassigned': list({ assigneeId: null }),
    'list: needs a person': list({ needsHuman: true }),
    'list: failed': list({ isFailed: true }),
    'list: closing': list({ closing }),
    'list: a number': list({ connectionId }),
    'list: a tag': list({ tags: [tagId] }),
    'list: two tags': list({ tags: tags.map(({ id }) => id) }),
    'thread page': async round =>
      (await listThread(db, viewer, { ...at(round), before: undefined, page: 1, pageSize: messagesPerPage })).rows
        .length,
    'tag change': async round => {
      const { contactId } = at(round)
      const row = { contact_id: contactId, tag_id: tagId, org_id: orgId }
      await write
        .insertInto('contact_tag')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
        .execute()
      await write.deleteFrom('contact_tag').where('contact_id', '=', contactId).where('tag_id', '=', tagId).execute()
      return 1
    },
    'search: a common word': () => said('gracias'),
    'search: a word of nobody': () => said('zzzzz'),
    'search: a rare word': () => said(rareWord),
    'search: a prefix': () => said('par'),
    'search: two operators': () => said('', { types: ['text'], statuses: ['failed'] }),
    // What the inbox shows while a name is typed.
    'search: a name': async () =>
      (await searchEverywhere(db, viewer, { q: 'lucia', timeZone: defaultTimeZone })).conversations.length,
    'search: a name, in the list': list({ search: 'lucia' }),
    'search: a name, in the contacts': async () =>
      (await contacts.listContacts(viewer as OrgCaller, { query: { search: 'lucia' } })).items.length,
    'search: 500 who are called so': () => called(sharedName),
    [manyCalled]: () => called('lucia'),
  }
  return {
    works,
    async close() {
      await databases.close()
      place.remove()
    },
  }
}

type Side = Awaited<ReturnType<typeof openWorks>>

interface Measured {
  readonly ms: number
  readonly found: number
}

const blockRounds = 20
const warmRounds = 3

/**
 * Alternates both sides in blocks, so that a slow minute of the machine affects both. The first, cold runs of a block
 * do not count.
 */
const measured = async (sides: readonly Side[], what: string, rounds: number): Promise<Measured[]> => {
  const times = sides.map((): number[] => [])
  const found = sides.map(() => 0)
  const blocks = Math.ceil(rounds / blockRounds)
  for (let block = 0; block < blocks; block += 1)
    for (let turn = 0; turn < sides.length; turn += 1) {
      const i = (turn + block) % sides.length
      const work = sides[i]?.works[what] as Work
      for (let round = -warmRounds; round < blockRounds; round += 1) {
        const began = performance.now()
        found[i] = await work(block * blockRounds + Math.max(round, 0))
        if (round >= 0) times[i]?.push(performance.now() - began)
      }
    }
  return times.map((some, i) => ({ ms: p95(some), found: found[i] ?? 0 }))
}

/**
 * Elapsed time: some systems count a thread's processor time in steps of 4 ms, more than most of these take.
 * `--conversations N --messages N --rounds N`.
 */
export async function run(args: readonly string[]): Promise<boolean> {
  const rounds = option(args, 'rounds', 200)
  const volume = {
    conversations: option(args, 'conversations', 100_000),
    messages: option(args, 'messages', 1_000_000),
  }
  const sides = [await openWorks({ conversations: 1_000, messages: 10_000 }), await openWorks(volume)]
  const lines: Line[] = []
  try {
    for (const what of Object.keys(sides[0]?.works ?? {})) {
      const [few, many] = (await measured(sides, what, rounds)) as [Measured, Measured]
      lines.push(bound(`${what}, p95 (${many.found} found)`, many.ms, 'ms', goalMs))
      if (what === manyCalled) continue
      const ratio = Math.max(many.ms, leastMs) / Math.max(few.ms, leastMs)
      lines.push(bound(`  ${what}, to 10,000 messages (${few.found} found)`, ratio, '×', goalRatio))
    }
  } finally {
    for (const side of sides) await side.close()
  }
  return report(args, lines, [
    `time of ${rounds} calls each, on a machine with nothing else to do, below ${leastMs} ms taken as that for the ratio`,
  ])
}
