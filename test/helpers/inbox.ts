import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealedConnectionKeys } from '#server/identity/numbers/keyring.ts'
import { updateListedNumbers } from '#server/identity/numbers/store.ts'
import { presentEvents } from '#server/messaging/live/listener.ts'
import type { EventDraft } from '#server/messaging/live/recording.ts'
import { paceKeyConnection } from '#server/messaging/outbox/numbers.ts'
import { conversationKey } from '#server/messaging/outbox/order.ts'
import type { SentReaction } from '#server/messaging/outbox/reactions.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor, vendorActor } from '#server/platform/events/actors.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { type Backend, compose } from '#server/wiring.ts'
import { type AMember, aMember, testSecret } from './actors.ts'
import { type HandClock, handClock } from './clock.ts'
import { freshDatabases } from './db.ts'
import { i18n } from './i18n.ts'
import { itemScope } from './items.ts'
import { type KeptLog, keptLog } from './log.ts'
import { eventWords } from './writes.ts'

/** A notification that a member got. */
export interface Notice {
  readonly userId: string
  /** In Spanish. */
  readonly title: string
  readonly message: string
  readonly words: EventOf<'notification.raised'>['data']['words']
  readonly redirect: string | null
  readonly conversationId: string | null
}

/** A call to WhatsApp that waits in the outbox. */
export interface Queued {
  readonly kind: 'message' | 'read' | 'typing' | 'reaction'
  readonly connectionId: string
  /** Absent: the job does not say. */
  readonly conversationId?: string
  /** Id of the message, or the customer's wamid that is read or answered. */
  readonly ref: string
}

type Services = Pick<Backend['services'], 'inbox' | 'notes' | 'presence' | 'drafts' | 'contacts'>

/**
 * The inbox of one organization in the composed server, on a database of its own. Nothing runs by itself: what is
 * queued stays queued, unless the test starts the jobs.
 */
export interface AnInbox extends Services {
  parts: Backend
  databases: Databases
  clock: HandClock
  ana: AMember
  orgId: string
  /** Events for open tabs in the order in which they were recorded, without notifications. */
  events: EventDraft[]
  /** Notifications in the order in which they were raised. */
  notices: Notice[]
  /** What waits in the outbox, in the order in which it was queued. */
  queued(): Promise<Queued[]>
  /** Reactions that wait in the outbox. */
  reactions(): Promise<SentReaction[]>
  /** Applies items of webhooks as their features take them, and returns the live events. */
  apply(...items: WebhookItem[]): Promise<EventDraft[]>
  /** Runs a write and returns its live events. */
  write(work: (write: OrgWrite) => Promise<unknown>): Promise<EventDraft[]>
  /** Connects the number that receives the items; with `phoneNumberId`, another number as well. */
  connect(phone?: string, more?: { phoneNumberId?: string; kind?: 'cloud' | 'sandbox' }): Promise<string>
}

/** Nothing listens there, so that no test calls Meta by accident. */
const nowhere = 'http://127.0.0.1:9'

/** The server on this database, without HTTP. Nothing runs by itself until its parts are started. */
export const composeOn = (
  databases: Databases,
  clock: HandClock,
  { env = {}, log = keptLog() }: { env?: Record<string, string>; log?: KeptLog } = {},
): Backend =>
  compose({
    config: readConfig({
      AUTH_SECRET: testSecret,
      GRAPH_URL: nowhere,
      // The folder is not made: these tests write no files.
      DATA_DIR: join(tmpdir(), 'recado-without-files'),
      ...env,
    }),
    databases,
    clock,
    i18n,
    log,
    selfUrl: () => nowhere,
    outboundFetch: async () => new Response(null, { status: 429 }),
    resolveTxt: async () => [],
    deliver: async () => 503,
  })

const noticeOf = ({ words, userId, redirect, conversationId }: EventOf<'notification.raised'>['data']): Notice => ({
  ...{ userId, words, redirect, conversationId },
  ...eventWords.notice(words),
})

/**
 * Collects what an organization's writes tell its members: live events without notifications, and notifications. A write
 * fails if a listener has failed, which the product only logs.
 */
export const keepEvents = ({ listeners, writes }: Backend, orgId: string) => {
  const events: EventDraft[] = []
  const notices: Notice[] = []
  listeners.inTransaction({
    name: `kept for assertions, of ${orgId}`,
    on: 'all',
    essential: true,
    async handle(write, all) {
      const failed = [...writes.failures().keys()]
      if (failed.length) throw new Error(`These listeners failed, see the log: ${failed.join(', ')}`)
      if (write.orgId !== orgId) return
      write.afterCommit(() => {
        notices.push(...all.flatMap(one => (one.type === 'notification.raised' ? [noticeOf(one.data)] : [])))
        const others = all.filter(({ type }) => type !== 'notification.raised')
        events.push(...presentEvents(others, eventWords))
      })
    },
  })
  return { events, notices }
}

/** Applies items of an organization's webhooks as their features take them. */
export const applyTo = async ({ webhookTakers, writes }: Backend, orgId: string, items: readonly WebhookItem[]) => {
  const taken = [...Map.groupBy(items, webhookTakers.of)]
  for (const [taker, own] of taken) await taker?.readAhead?.(orgId, own)
  await writes.run(orgId, vendorActor, async write => {
    for (const [taker, own] of taken) await taker?.apply(write, own)
  })
}

/** `on`: a second organization beside the first one, in the same process. */
export async function anInbox(on?: AnInbox): Promise<AnInbox> {
  const databases = on?.databases ?? (await freshDatabases())
  const clock = on?.clock ?? handClock()
  const parts = on?.parts ?? composeOn(databases, clock)
  const { writes } = parts
  const { inbox, notes, presence, drafts, contacts } = parts.services
  const ana = await aMember({ databases })
  const orgId = ana.org.id
  const { events, notices } = keepEvents(parts, orgId)
  const during = async (work: () => Promise<unknown>) => {
    const before = events.length
    await work()
    return events.slice(before)
  }
  const jobsOf = (...kinds: string[]) =>
    databases.read
      .selectFrom('job')
      .select(['kind', 'payload', 'pace_key', 'order_key'])
      .where('org_id', '=', orgId)
      .where('kind', 'in', kinds)
      .where('state', '=', 'waiting')
      .orderBy('seq')
      .execute()
  const at = clock.now().toISOString()
  const firstNumber = on ? `${itemScope.phoneNumberId} of ${orgId}` : itemScope.phoneNumberId
  const rowOf = (id: string) => ({
    ...{ waba_id: '1', verified_name: null, status: 'connected' as const, status_reason: null, shown_phone: null },
    ...{ access_token_sealed: '', app_secret_sealed: '', verify_token_sealed: '' },
    ...Object.fromEntries(
      sealedConnectionKeys.map(({ column, contextOf }) => [column, parts.vault.encrypt('x', contextOf(id))]),
    ),
    ...{ last_webhook_at: at, created_at: at, updated_at: at },
  })
  // Items need a number. It counts as disconnected until `connect`.
  const former = { kind: 'sandbox' as const, phone: '', phone_number_id: firstNumber, disconnected_at: at }
  const firstId = newId()
  await databases.write
    .insertInto('wa_connection')
    .values({ ...rowOf(firstId), ...former, id: firstId, org_id: orgId })
    .execute()
  return {
    ...{ parts, databases, clock, ana, orgId, inbox, notes, presence, drafts, contacts, events, notices },
    async queued() {
      const jobs = await jobsOf('outbox.message', 'outbox.receipt', 'outbox.reaction')
      return jobs.map(({ kind, payload, pace_key, order_key }) => {
        const connectionId = paceKeyConnection(pace_key)
        const { kind: receipt, messageId, wamid } = JSON.parse(payload)
        if (kind === 'outbox.receipt') return { kind: receipt, connectionId, ref: wamid }
        if (kind === 'outbox.reaction') return { kind: 'reaction', connectionId, ref: messageId }
        const conversationId = order_key?.slice(conversationKey('').length) ?? ''
        return { kind: 'message', connectionId, conversationId, ref: messageId }
      })
    },
    reactions: async () => (await jobsOf('outbox.reaction')).map(({ payload }) => JSON.parse(payload)),
    write: work => during(() => writes.run(orgId, systemActor('test'), work)),
    apply: (...items) => during(() => applyTo(parts, orgId, items)),
    async connect(phone = '5491150000000', { phoneNumberId = firstNumber, kind = 'sandbox' } = {}) {
      const old = await databases.write
        .selectFrom('wa_connection')
        .select('id')
        .where('org_id', '=', orgId)
        .where('phone_number_id', '=', phoneNumberId)
        .executeTakeFirst()
      const id = old?.id ?? newId()
      const number = { ...rowOf(id), phone, kind, phone_number_id: phoneNumberId, disconnected_at: null }
      await databases.write
        .insertInto('wa_connection')
        .values({ ...number, id, org_id: orgId })
        .onConflict(conflict => conflict.column('id').doUpdateSet(number))
        .execute()
      if (old) await databases.write.updateTable('conversation').set({ kind }).where('connection_id', '=', id).execute()
      await writes.run(orgId, systemActor('test'), ({ db }) => updateListedNumbers(db, orgId, kind))
      return id
    },
  }
}

/** A thread without the lines about the team's actions. */
export const withoutActivity = <M extends { type: string }>(messages: readonly M[]): M[] =>
  messages.filter(({ type }) => type !== 'activity')
