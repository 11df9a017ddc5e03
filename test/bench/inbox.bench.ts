import type { OrgCaller } from '#server/actor.ts'
import { openDatabase } from '#server/database/sqlite/open.ts'
import { newId } from '#server/ids.ts'
import { createContactList } from '#server/inbox/contacts/contact-list.ts'
import { searchEverywhere } from '#server/inbox/conversations/find.ts'
import { listConversations } from '#server/inbox/conversations/list-store.ts'
import { listThread } from '#server/inbox/conversations/store.ts'
import { findConversationsByContact } from '#server/search/contact-search.ts'
import { findMessages } from '#server/search/message-search.ts'
import type { Narrowing } from '#server/search/narrowing.ts'
import { wordsOf } from '#server/search/words.ts'
import { seesAll } from '#server/visibility/scope.ts'
import { conversationsPerPage, messagesPerPage, windowClosingMs } from '#shared/limits.ts'
import { defaultTimeZone } from '#shared/time.ts'
import { openInstallation, type Volume } from './parts/installation.ts'
import { bound, type Line, option, report } from './parts/report.ts'

export const name = 'inbox'
export const title = 'List, filters, thread, tags and search at 1,000,000 messages, and beside 10,000'

const goalMs = 15
const goalRatio = 1.5
/** Below it a ratio says more of the clock than of the work. */
const leastMs = 0.5

const p95 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0

type Work = (round: number) => Promise<unknown>

/** What the inbox asks for, by name; each on its own connection, as in the process. */
const openWorks = async (volume: Volume) => {
  const place = await openInstallation({ ...volume, people: 1 })
  const databases = openDatabase(place.databasePath)
  const { read: db, write } = databases
  const orgId = place.org.id
  const viewer = { orgId, scope: seesAll }
  const ids = (
    await db.selectFrom('conversation').select(['id', 'contact_id']).where('org_id', '=', orgId).limit(2000).execute()
  ).map(row => ({ conversationId: row.id, contactId: row.contact_id }))
  const at = (round: number) => ids[(round * 37) % ids.length] as (typeof ids)[number]
  const tags = [{ id: newId() }, { id: newId() }]
  const createdAt = new Date().toISOString()
  const labels = tags.map(({ id }, i) => ({ id, org_id: orgId, label: `Etiqueta ${i}`, created_at: createdAt }))
  await write.insertInto('tag').values(labels).execute()
  // Every third customer has the first, every ninth the other as well.
  for (const [i, { id }] of tags.entries())
    databases.raw.write
      .prepare(
        `insert into contact_tag (contact_id, tag_id, org_id)
         select contact_id, ?, org_id from conversation where org_id = ? and rowid % ? = 0`,
      )
      .run(id, orgId, 3 ** (i + 1))
  const now = Date.now()
  const closing = { after: new Date(now).toISOString(), until: new Date(now + windowClosingMs).toISOString() }
  const page = { page: 1, pageSize: conversationsPerPage, archived: false }
  const list = (more: object) => () => listConversations(db, viewer, { ...page, ...more })
  const contacts = createContactList({ databases, translate: (_language, key) => key })
  const said = (typed: string, more: Narrowing = {}) =>
    findMessages(db, viewer, { words: wordsOf(typed), ...more, limit: 31 })
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
    'list: a number': list({ connectionId: place.connection.id }),
    'list: a tag': list({ tags: [tagId] }),
    'list: two tags': list({ tags: tags.map(({ id }) => id) }),
    'thread page': round =>
      listThread(db, viewer, { ...at(round), before: undefined, page: 1, pageSize: messagesPerPage }),
    'tag change': async round => {
      const { contactId } = at(round)
      const row = { contact_id: contactId, tag_id: tagId, org_id: orgId }
      await write
        .insertInto('contact_tag')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
        .execute()
      await write.deleteFrom('contact_tag').where('contact_id', '=', contactId).where('tag_id', '=', tagId).execute()
    },
    'search: a common word': () => said('gracias'),
    'search: a rare word': () => said('zzzzz'),
    'search: a prefix': () => said('par'),
    'search: two operators': () => said('', { types: ['image'], statuses: ['failed'] }),
    // What the inbox shows while somebody types one.
    'search: a name': () => searchEverywhere(db, viewer, { q: 'lucia', timeZone: defaultTimeZone }),
    'search: a name, in the list': list({ search: 'lucia' }),
    'search: a name, in the contacts': async () =>
      contacts.listContacts(viewer as OrgCaller, { query: { search: 'lucia' } }),
    'search: all who are called so, 500 at most': () =>
      findConversationsByContact(db, viewer, { typed: 'lucia', limit: 500 }),
  }
  return {
    works,
    async close() {
      await databases.close()
      place.remove()
    },
  }
}

const measured = async (volume: Volume, rounds: number): Promise<ReadonlyMap<string, number>> => {
  const place = await openWorks(volume)
  const found = new Map<string, number>()
  try {
    for (const [what, work] of Object.entries(place.works)) {
      for (let round = 0; round < 10; round += 1) await work(round)
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const began = performance.now()
        await work(round)
        times.push(performance.now() - began)
      }
      found.set(what, p95(times))
    }
  } finally {
    await place.close()
  }
  return found
}

/** Elapsed time: some systems count a thread's processor time in steps of 4 ms, more than most of these take. `--conversations N --messages N --rounds N`. */
export async function run(args: readonly string[]): Promise<boolean> {
  const rounds = option(args, 'rounds', 200)
  const volume = {
    conversations: option(args, 'conversations', 100_000),
    messages: option(args, 'messages', 1_000_000),
  }
  const few = await measured({ conversations: 1_000, messages: 10_000 }, rounds)
  const many = await measured(volume, rounds)
  const lines = [...many].flatMap(([what, ms]): Line[] => [
    bound(`${what}, p95`, ms, 'ms', goalMs),
    bound(
      '  to the same of 10,000 messages',
      Math.max(ms, leastMs) / Math.max(few.get(what) ?? leastMs, leastMs),
      '×',
      goalRatio,
    ),
  ])
  return report(args, lines, [
    `time of ${rounds} calls each, on a machine with nothing else to do, below ${leastMs} ms taken as that for the ratio`,
  ])
}
