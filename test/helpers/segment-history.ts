import { readSlice } from '#server/features/stats/segments/read-slice.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'

/** A repeatable sequence of numbers from 0 to 1. */
export const chance = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let x = Math.imul(state ^ (state >>> 15), 1 | state)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A message of a history, without its time. */
export interface Line {
  readonly direction: 'in' | 'out' | 'internal'
  readonly type?: string
  readonly authorKind?: string
  readonly authorId?: string
  readonly content?: object
  readonly status?: string
}

const activity = (kind: string, more: object = {}, by = 'person'): Line => ({
  direction: 'internal',
  type: 'activity',
  content: { activity: { kind, by: { kind: by, id: null, name: null }, ...more } },
})

export const lines = {
  customer: { direction: 'in' },
  fromAd: { direction: 'in', content: { referral: { sourceType: 'ad', sourceId: '1' } } },
  welcome: { direction: 'in', type: 'welcome' },
  ana: { direction: 'out', authorKind: 'person', authorId: 'ana' },
  failed: { direction: 'out', authorKind: 'person', authorId: 'ana', status: 'failed' },
  luis: { direction: 'out', authorKind: 'person', authorId: 'luis' },
  phone: { direction: 'out', authorKind: 'phone' },
  bot: { direction: 'out', authorKind: 'bot', authorId: 'flow' },
  program: { direction: 'out', authorKind: 'api', authorId: 'key' },
  bulk: { direction: 'out', type: 'template', authorKind: 'bulk' },
  template: { direction: 'out', type: 'template', authorKind: 'person', authorId: 'ana' },
  note: { direction: 'internal', type: 'note' },
  resolved: activity('archived'),
  reopened: activity('unarchived'),
  botStarted: activity('botStarted', {}, 'bot'),
  handedOver: activity('handedOver', {}, 'bot'),
  handedToAna: activity('assigned', { assignee: { id: 'ana', name: 'Ana' } }, 'bot'),
  toAna: activity('assigned', { assignee: { id: 'ana', name: 'Ana' } }),
  toSales: activity('assigned', { team: { id: 'sales', name: 'Ventas' } }),
  ofNobody: activity('unassigned', { assignee: { id: 'ana', name: 'Ana' } }),
  agentLeft: { direction: 'in', type: 'system', content: { news: { kind: 'agentLeft' } } },
} as const satisfies Record<string, Line>
export type LineName = keyof typeof lines

/** An organization whose conversations are inserted directly, so that a test decides every row. */
export function aHistory(databases: Databases, orgId: string, connectionId = 'number') {
  const at = '2026-01-01T00:00:00.000Z'
  const conversation = async (facts: { contactId?: string; waId?: string; archived?: number } = {}) => {
    const id = newId()
    const contactId = facts.contactId ?? newId()
    if (!facts.contactId)
      await databases.write
        .insertInto('contact')
        .values({ id: contactId, org_id: orgId, wa_id: facts.waId ?? id, created_at: at, updated_at: at } as never)
        .execute()
    await databases.write
      .insertInto('conversation')
      .values({
        id,
        org_id: orgId,
        contact_id: contactId,
        connection_id: connectionId,
        control: 'human',
        archived: facts.archived ?? 0,
        unread: 0,
        // `doctor` compares only conversations with a message.
        last_message_seq: 1,
        last_activity_at: at,
        created_at: at,
      } as never)
      .execute()
    return { id, contactId }
  }
  const say = async (conversationId: string, at: number | string, line: Line): Promise<string> => {
    const id = newId()
    await databases.write
      .insertInto('message')
      .values({
        id,
        org_id: orgId,
        conversation_id: conversationId,
        direction: line.direction,
        type: line.type ?? 'text',
        text: 'x',
        content: line.content === undefined ? null : JSON.stringify(line.content),
        at: typeof at === 'number' ? new Date(at).toISOString() : at,
        status: line.status ?? (line.direction === 'out' ? 'delivered' : 'received'),
        author_kind: line.authorKind ?? null,
        author_id: line.authorId ?? null,
      } as never)
      .execute()
    return id
  }
  /** Computes the segments of all messages. */
  const read = async (messages = 7) => {
    for (let found = 'slice'; found !== 'nothing'; )
      found = await inTransaction(databases, trx => readSlice(trx, { messages, conversations: 2 }))
  }
  return { conversation, say, read }
}
