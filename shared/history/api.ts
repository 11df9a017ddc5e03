import { type Static, Type } from 'typebox'
import { searchMaxChars } from '#shared/inbox/conversations.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, pageOf, Timestamp } from '#shared/kernel/list.ts'

export const historyPerPage = 30
/** Deeper pages are reached with `q`. */
const maxPages = 200
const historyTitleMaxChars = 200
const historySummaryMaxChars = 1000
/** The size of an entry's payload as JSON. */
export const historyPayloadMaxBytes = 16 * 1024
/** Recent searches and opened items kept per person. */
export const mostRecent = 20
/** Drafts per person. Older ones are deleted. */
export const maxDrafts = 100

/** `masive`: bulk sends, visible to everybody who may send them · `recent`, `draft`: private. */
export const historyKinds = ['masive', 'recent', 'draft'] as const
export type HistoryKind = (typeof historyKinds)[number]
const Kind = Type.Enum(historyKinds)

const exampleEntry = {
  id: '0mbh3k2v9x000000000000q1',
  kind: 'masive',
  title: 'pedido_listo',
  summary: 'Completado · 2 personas',
  payload: { send: '0mbh3k2v9x000000000000q1', state: 'completed' },
  createdBy: 'Ana Paz',
  createdAt: '2026-11-20T13:05:00.000Z',
  mayDelete: true,
}

export const HistoryEntry = Type.Object(
  {
    id: Type.String({ description: 'Of a bulk send its own.' }),
    kind: Kind,
    title: Type.String(),
    summary: Type.String(),
    payload: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description:
        'The payload it was stored with; of a bulk send its present state: `send`, `template`, `audience`, `counts`, `cost`, `state`, `reason`, `startsAt`, `startedAt`, `endedAt`.',
    }),
    createdBy: Type.String(),
    createdAt: Timestamp,
    mayDelete: Type.Boolean({ description: 'The caller wrote it, or manages the organization.' }),
  },
  { examples: [exampleEntry] },
)
export type HistoryEntry = Static<typeof HistoryEntry>

const entryFields = {
  kind: Type.Optional(Type.Enum(historyKinds, { description: 'Absent: `masive`.' })),
  title: Type.Optional(Type.String({ maxLength: historyTitleMaxChars })),
  summary: Type.Optional(Type.String({ maxLength: historySummaryMaxChars })),
  payload: Type.Optional(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })),
  clientKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The same one of the same person within a day answers the first entry.',
    }),
  ),
}
const NewEntry = Type.Object(
  {
    ...entryFields,
    entry: Type.Optional(
      Type.Object(entryFields, { additionalProperties: true, description: 'The same in a field of its own.' }),
    ),
  },
  {
    additionalProperties: true,
    description: `What else it has is kept in \`payload\`, which has ${historyPayloadMaxBytes / 1024} KB at most.`,
    examples: [
      { kind: 'draft', title: 'Aviso de feriado', payload: { template: 'feriado', phones: ['5491155550101'] } },
    ],
  },
)
export type NewEntry = Omit<Static<typeof NewEntry>, 'entry'>

const access = 'bulk:send'
/** Bulk sends, and entries of members and programs. */
export const historyApi = {
  listEntries: endpoint({
    method: 'GET',
    path: '/whatsapp/history',
    access,
    query: Type.Object(
      {
        page: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPages, default: 1 })),
        kind: Type.Optional(Kind),
        q: Type.Optional(Type.String({ maxLength: searchMaxChars, description: 'In title and summary.' })),
      },
      { additionalProperties: false },
    ),
    reply: pageOf(HistoryEntry),
    summary: `The journal, newest first, ${historyPerPage} at a time: everybody's bulk sends, and the caller's own entries.`,
  }),
  addEntry: endpoint({
    method: 'POST',
    path: '/whatsapp/history',
    access,
    body: NewEntry,
    reply: HistoryEntry,
    status: 201,
    idempotent: true,
    summary: 'Adds an entry to the journal of sends. Bulk sends are added automatically.',
  }),
  hideEntry: endpoint({
    method: 'DELETE',
    path: '/whatsapp/history',
    access,
    query: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false }),
    reply: Done,
    refuses: [404, 409],
    summary:
      "Removes an entry from the journal: the caller's own, or any as owner or admin. The bulk send and its report stay.",
  }),
} as const
