import { type Databases, type Db, inTransaction } from '#server/db.ts'
import { createServerI18n } from '#server/i18n.ts'
import { newId } from '#server/ids.ts'
import { applyItems } from '#server/inbox/apply.ts'
import { createInbox, type InboxParts, type InboxService } from '#server/inbox/service.ts'
import type { Notify } from '#server/inbox/waiting.ts'
import type { EventDraft, StoredEvent } from '#server/live/hub.ts'
import type { WebhookItem } from '#server/whatsapp/inbound.ts'
import { type AMember, aMember } from './actors.ts'
import { type HandClock, handClock } from './clock.ts'
import { freshDatabases } from './db.ts'

export interface Notice {
  orgId: string
  userIds: readonly string[]
  message: string
  redirect: string | null
}

export interface Queued {
  kind: 'message' | 'read' | 'typing'
  orgId: string
  conversationId: string
  ref: string
}

/** The inbox of one organization on a database of its own, its doors in the hand. */
export interface AnInbox {
  databases: Databases
  clock: HandClock
  ana: AMember
  orgId: string
  inbox: InboxService
  /** Events in the order in which they were recorded. */
  events: EventDraft[]
  /** What the outbox was given. */
  queued: Queued[]
  notices: Notice[]
  /** How often the outbox was woken. */
  wakes(): number
  apply(...items: WebhookItem[]): Promise<EventDraft[]>
  transact<T>(work: (trx: Db) => Promise<T>): Promise<T>
  connect(phone?: string): Promise<void>
}

const i18n = createServerI18n()

/** `on`: a second organization beside the first one. */
export async function anInbox(on?: AnInbox): Promise<AnInbox> {
  const databases = on?.databases ?? (await freshDatabases())
  const clock = on?.clock ?? handClock()
  const ana = await aMember({ databases })
  const orgId = ana.org.id
  const events: EventDraft[] = []
  const queued: Queued[] = []
  const notices: Notice[] = []
  let woken = 0
  const notify: Notify = async (_trx, org, notice) => {
    notices.push({ orgId: org, ...notice })
    return []
  }
  const enqueue =
    (kind: Queued['kind']) =>
    async (_trx: Db, org: string, row: { conversationId: string; messageId?: string; wamid?: string }) => {
      queued.push({ kind, orgId: org, conversationId: row.conversationId, ref: row.messageId ?? row.wamid ?? '' })
    }
  const parts: InboxParts = {
    databases,
    clock,
    ids: newId,
    translator: i18n.translator,
    live: {
      record: async (_trx, org, drafts) => {
        events.push(...drafts)
        return drafts.map(
          (draft, seq): StoredEvent => ({
            orgId: org,
            seq,
            type: draft.type,
            at: '',
            number: draft.number ?? null,
            audience: null,
            data: draft.data,
          }),
        )
      },
      publish: () => {},
    },
    outbox: {
      enqueueMessage: enqueue('message'),
      enqueueRead: enqueue('read'),
      enqueueTyping: enqueue('typing'),
      wake: () => {
        woken += 1
      },
    },
  }
  return {
    databases,
    clock,
    ana,
    orgId,
    inbox: createInbox(parts),
    events,
    queued,
    notices,
    wakes: () => woken,
    transact: work => inTransaction(databases, work),
    async apply(...items) {
      const { drafts } = await inTransaction(databases, trx =>
        applyItems(trx, orgId, items, { clock, ids: newId, notify }),
      )
      events.push(...drafts)
      return drafts
    },
    async connect(phone = '5491150000000') {
      const at = clock.now().toISOString()
      await databases.write
        .insertInto('wa_connection')
        .values({
          id: newId(),
          org_id: orgId,
          kind: 'sandbox',
          phone_number_id: newId(),
          waba_id: '1',
          phone,
          verified_name: null,
          access_token_sealed: 'x',
          app_secret_sealed: 'x',
          verify_token_sealed: 'x',
          status: 'connected',
          status_reason: null,
          last_webhook_at: null,
          created_at: at,
          updated_at: at,
        })
        .execute()
    },
  }
}
