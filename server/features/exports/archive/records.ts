import { archivedFilePath } from '#server/messaging/archive/format.ts'
import { archiveStates } from '#server/messaging/archive-states.ts'
import type { Databases } from '#server/platform/db/db.ts'
import * as store from './record-store.ts'
import { walk } from './walk.ts'

type Cells = Readonly<Record<string, unknown>>

const placeNames: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(archiveStates).map(([name, value]) => [value, name]),
)

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const parsed = (text: unknown): unknown => {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A row as a record: names in camel case, JSON columns as JSON, 0 and 1 as booleans. */
const recordOf = (
  row: Cells,
  { json = [], flags = [] }: { json?: readonly string[]; flags?: readonly string[] } = {},
) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (flags.includes(name)) return [camel(name.replace(/^is_/, '')), value === 1]
      return [camel(name), json.includes(name) ? parsed(value) : value]
    }),
  )

/** The record of a message. The content of a deleted one is left out, as in the thread. */
const messageRecord = (
  row: store.MessageRecordRow,
  reactions: readonly { by: string; emoji: string; at: string }[] | undefined,
) => {
  const isDeleted = row.revoked_at !== null
  const hasFile = row.media_id !== null && !isDeleted
  return {
    id: row.id,
    conversation: row.conversation_id,
    wamid: row.wamid,
    at: row.at,
    direction: row.direction,
    type: row.type,
    text: isDeleted ? '' : row.text,
    content: isDeleted ? null : parsed(row.content),
    status: row.status,
    sentAt: row.sent_at,
    deliveredAt: row.delivered_at,
    readAt: row.read_at,
    failedAt: row.failed_at,
    errorCode: row.error_code,
    errorDetail: row.error_detail,
    replyTo: row.reply_to_wamid,
    author: row.author_kind && { kind: row.author_kind, id: row.author_id, name: row.author_name },
    editedAt: row.edited_at,
    deletedAt: row.revoked_at,
    reactions: reactions?.map(({ by, emoji, at }) => ({ by, emoji, at })) ?? [],
    file: hasFile
      ? {
          name: row.media_name || null,
          mime: row.media_mime,
          size: row.media_size,
          sha256: row.media_sha256,
          path: row.media_state === 'stored' ? archivedFilePath(row.media_id as string, row.media_name) : null,
        }
      : null,
  }
}

export type Kind = { readonly name: string; readonly pages: AsyncIterable<readonly unknown[]> }

/** Every kind of record of an organization. Nothing is read before its pages are. */
export function recordKinds({ read: db, turn }: Databases, orgId: string, onMessages: (count: number) => void): Kind[] {
  type List<T> = (db: Databases['read'], of: { orgId: string; after: string; limit: number }) => Promise<T[]>
  const byId = <T extends { id: string }>(list: List<T>) =>
    walk<T, string>(turn, {
      first: '',
      keyOf: row => row.id,
      page: (after, limit) => list(db, { orgId, after, limit }),
    })

  async function* plain<T extends { id: string }>(list: List<T>, form: Parameters<typeof recordOf>[1] = {}) {
    for await (const rows of byId(list)) yield rows.map(row => recordOf(row, form))
  }

  async function* contacts() {
    for await (const rows of byId(store.listContacts)) {
      const ids = rows.map(({ id }) => id)
      const tags = Map.groupBy(await store.listTagsOfContacts(db, ids, { orgId }), row => row.contact_id)
      const values = Map.groupBy(await store.listValuesOf(db, ids, { orgId }), row => row.contact_id)
      const nameless = rows.flatMap(row => (row.wa_id === null && row.bsuid === null ? [row.id] : []))
      const others = new Map(
        (await store.listOtherIds(db, nameless, { orgId })).map(row => [row.contact_id, row.value]),
      )
      yield rows.map(row => ({
        ...recordOf(row, { json: ['opt_out'], flags: ['is_group'] }),
        otherId: others.get(row.id) ?? null,
        tags: (tags.get(row.id) ?? []).map(({ label }) => label).sort(),
        fields: (values.get(row.id) ?? [])
          .map(({ label, value }) => ({ label, value }))
          .sort((a, b) => (a.label < b.label ? -1 : 1)),
      }))
    }
  }

  async function* conversations() {
    for await (const rows of byId(store.listContacts)) {
      const ids = rows.map(({ id }) => id)
      const own = await store.listConversations(db, ids, { orgId })
      yield own
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ archived, connection_id: number, contact_id: contact, ...row }) => ({
          ...recordOf(row),
          number,
          contact,
          place: placeNames[archived] ?? 'open',
        }))
    }
  }

  async function* messages() {
    const pages = walk<store.MessageRecordRow, number>(turn, {
      first: 0,
      keyOf: row => row.seq,
      page: (after, limit) => store.listMessages(db, { orgId, after, limit }),
    })
    for await (const rows of pages) {
      const ids = rows.map(({ id }) => id)
      const reactions = Map.groupBy(await store.listReactions(db, ids, { orgId }), row => row.message_id)
      yield rows.map(row => messageRecord(row, reactions.get(row.id)))
      onMessages(rows.length)
    }
  }

  async function* flowVersions() {
    for await (const flows of byId(store.listFlows))
      for (const { id } of flows)
        for await (const rows of walk<Awaited<ReturnType<typeof store.listFlowVersions>>[number], number>(turn, {
          first: 0,
          keyOf: row => row.version,
          page: (after, limit) => store.listFlowVersions(db, id, { orgId, after, limit }),
        }))
          yield rows.map(row => recordOf(row, { json: ['graph', 'triggers'] }))
  }

  async function* recipients() {
    for await (const sends of byId(store.listBulkSends))
      for (const { id } of sends)
        for await (const rows of walk<Awaited<ReturnType<typeof store.listRecipients>>[number], number>(turn, {
          first: -1,
          keyOf: row => row.place,
          page: (after, limit) => store.listRecipients(db, id, { orgId, after, limit }),
        }))
          yield rows.map(row => recordOf(row, { json: ['template_values'] }))
  }

  async function* readyAnswers() {
    for await (const rows of byId(store.listReadyAnswers))
      yield rows.map(({ id, shortcut, title, text, ...file }) => ({
        id,
        shortcut,
        title,
        text,
        file: file.file_id && {
          name: file.file_name,
          mime: file.file_mime,
          path: archivedFilePath(file.file_id, file.file_name),
        },
      }))
  }

  return [
    { name: 'numbers', pages: plain(store.listNumbers) },
    { name: 'people', pages: plain(store.listPeople) },
    { name: 'teams', pages: plain(store.listTeams) },
    { name: 'tags', pages: plain(store.listTags) },
    { name: 'fields', pages: plain(store.listFields, { json: ['options'] }) },
    { name: 'contacts', pages: contacts() },
    { name: 'conversations', pages: conversations() },
    { name: 'messages', pages: messages() },
    { name: 'templates', pages: plain(store.listTemplates, { json: ['components'] }) },
    {
      name: 'flows',
      pages: plain(store.listFlows, { json: ['graph', 'triggers'], flags: ['is_enabled'] }),
    },
    { name: 'flow-versions', pages: flowVersions() },
    { name: 'bulk-sends', pages: plain(store.listBulkSends, { json: ['template'], flags: ['is_test'] }) },
    { name: 'bulk-recipients', pages: recipients() },
    { name: 'ready-answers', pages: readyAnswers() },
    { name: 'scheduled-messages', pages: plain(store.listScheduled, { flags: ['ends_on_reply'] }) },
    { name: 'segments', pages: plain(store.listSegments, { json: ['filter'] }) },
    { name: 'views', pages: plain(store.listViews, { json: ['filter'] }) },
    { name: 'audit', pages: plain(store.listAuditEntries, { json: ['subject', 'changes'], flags: ['is_done'] }) },
  ]
}
