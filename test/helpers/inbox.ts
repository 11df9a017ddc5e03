import type { Notifications } from '#server/features/notifications/service.ts'
import { updateListedNumbers } from '#server/identity/numbers/store.ts'
import { createScopes } from '#server/identity/visibility/scopes.ts'
import { createContacts } from '#server/messaging/contacts/contact-details.ts'
import { createWaitsAfterFailures } from '#server/messaging/conversations/waiting.ts'
import { createDrafts, type Drafts } from '#server/messaging/drafts/drafts.ts'
import { createInbox, type InboxParts, type InboxService } from '#server/messaging/inbox/service.ts'
import type { EventDraft } from '#server/messaging/live/hub.ts'
import { applyItems } from '#server/messaging/messages/webhook-items.ts'
import { createActivityLines } from '#server/messaging/notes/activity-listener.ts'
import { createMentionNotices } from '#server/messaging/notes/mention-notices.ts'
import { createNotes } from '#server/messaging/notes/notes.ts'
import type { SentReaction } from '#server/messaging/outbox/reactions.ts'
import {
  createAssignmentNotices,
  createReactionNotices,
  createReplyNotices,
  createWaitingNotices,
} from '#server/messaging/people/notices.ts'
import { createPresence, type Presence } from '#server/messaging/people/presence.ts'
import { createClosingNotices } from '#server/messaging/people/window-closing.ts'
import { createTags } from '#server/messaging/tags/tags.ts'
import { templateSending } from '#server/messaging/templates/sending.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { WebhookItem } from '#server/whatsapp/inbound.ts'
import { type AMember, aMember } from './actors.ts'
import { type HandClock, handClock } from './clock.ts'
import { freshDatabases } from './db.ts'
import { i18n } from './i18n.ts'
import { itemScope } from './items.ts'
import { eventWords, keptWrites } from './writes.ts'

export interface Notice {
  orgId: string
  userIds: readonly string[]
  message: string
  redirect: string | null
}

export interface Queued {
  kind: 'message' | 'read' | 'typing' | 'reaction'
  orgId: string
  conversationId: string
  connectionId: string
  ref: string
}

/** The inbox of one organization on a database of its own, with fakes for what it calls. */
export interface AnInbox {
  databases: Databases
  clock: HandClock
  ana: AMember
  orgId: string
  inbox: InboxService
  notes: ReturnType<typeof createNotes>
  presence: Presence
  drafts: Drafts
  contacts: ReturnType<typeof createContacts>
  /** Events in the order in which they were recorded. */
  events: EventDraft[]
  /** Messages passed to the outbox. */
  queued: Queued[]
  /** Reactions passed to the outbox. */
  reactions: SentReaction[]
  notices: Notice[]
  /** How often the outbox was woken. */
  wakes(): number
  apply(...items: WebhookItem[]): Promise<EventDraft[]>
  /** Runs a write and returns its live events. */
  write(work: (write: OrgWrite) => Promise<unknown>): Promise<EventDraft[]>
  /** Connects the number that receives the items; with `phoneNumberId`, another number as well. */
  connect(phone?: string, more?: { phoneNumberId?: string; kind?: 'cloud' | 'sandbox' }): Promise<string>
}

/** For tests without files. */
export const noFiles = {
  take: async () => {
    throw new Error('This test has no storage of files, but a file was sent')
  },
}

/** For tests without snoozes. */
export const noSnoozing: InboxParts['snoozing'] = {
  snooze: async (_write, rows) => [...rows],
  end: async (_write, rows) => [...rows],
}

/** For tests without buttons that run actions. */
export const noActions = {
  idOf: () => 'a.x.y',
  requireThere: async () => undefined,
}

/** `on`: a second organization beside the first one. */
export async function anInbox(on?: AnInbox, more: Pick<InboxParts, 'assignsOnReply'> = {}): Promise<AnInbox> {
  const databases = on?.databases ?? (await freshDatabases())
  const clock = on?.clock ?? handClock()
  const ana = await aMember({ databases })
  const orgId = ana.org.id
  const queued: Queued[] = []
  const reactions: SentReaction[] = []
  const notices: Notice[] = []
  let woken = 0
  const writes = keptWrites({ databases, clock })
  const notify: Notifications['notify'] = async (write, { redirect = null, ...notice }) => {
    const facts = { ...notice, redirect, ...eventWords.notice(notice.words) }
    if (notice.userIds.length) notices.push({ orgId: write.orgId, ...facts })
  }
  writes.listeners.inTransaction(createActivityLines({ clock, ids: newId }))
  writes.listeners.inTransaction(createReplyNotices({ notify, clock }))
  writes.listeners.inTransaction(createReactionNotices({ notify, clock }))
  writes.listeners.inTransaction(createClosingNotices({ notify, scopes: createScopes({ databases }) }))
  writes.listeners.inTransaction(createAssignmentNotices({ notify }))
  writes.listeners.inTransaction(createMentionNotices({ notify }))
  writes.listeners.inTransaction(createWaitsAfterFailures())
  writes.listeners.inTransaction(createWaitingNotices({ notify, scopes: createScopes({ databases }) }))
  const enqueue =
    (kind: Queued['kind']) =>
    async (
      write: OrgWrite,
      row: { conversationId: string; connectionId: string; messageId?: string; wamid?: string },
    ) => {
      const { conversationId, connectionId } = row
      queued.push({ kind, orgId: write.orgId, conversationId, connectionId, ref: row.messageId ?? row.wamid ?? '' })
      write.afterCommit(wake)
    }
  const wake = () => {
    woken += 1
  }
  const parts: InboxParts = {
    snoozing: noSnoozing,
    ...more,
    databases,
    clock,
    ids: newId,
    translator: i18n.translator,
    writes,
    actions: noActions,
    templates: templateSending,
    tags: createTags(),
    files: noFiles,
    withJsonFile: (_orgId, _file, work) => work(undefined),
    catalogueIds: async () => undefined,
    outbox: {
      enqueueMessage: enqueue('message'),
      cancelMessage: async () => 'gone',
      findWaiting: async () => new Map(),
      enqueueReads: async (write, rows) => {
        for (const row of rows) await enqueue('read')(write, row)
      },
      enqueueTyping: enqueue('typing'),
      enqueueReaction: async (write, reaction) => {
        const { connectionId, messageId } = reaction
        queued.push({ kind: 'reaction', orgId: write.orgId, conversationId: '', connectionId, ref: messageId })
        reactions.push(reaction)
      },
    },
  }
  const at = clock.now().toISOString()
  const firstNumber = on ? `${itemScope.phoneNumberId} of ${orgId}` : itemScope.phoneNumberId
  const aNumber = {
    waba_id: '1',
    verified_name: null,
    access_token_sealed: 'x',
    app_secret_sealed: 'x',
    verify_token_sealed: 'x',
    status: 'connected' as const,
    status_reason: null,
    last_webhook_at: at,
    created_at: at,
    updated_at: at,
    shown_phone: null,
  }
  // Items need a number. It counts as disconnected until `connect`.
  const former = { kind: 'sandbox' as const, phone: '', phone_number_id: firstNumber, disconnected_at: at }
  await databases.write
    .insertInto('wa_connection')
    .values({ ...aNumber, ...former, id: newId(), org_id: orgId })
    .execute()
  return {
    databases,
    clock,
    ana,
    orgId,
    inbox: createInbox(parts),
    contacts: createContacts({ databases, writes }),
    presence: createPresence({ databases, clock, writes }),
    drafts: createDrafts({ databases, clock, writes }),
    notes: createNotes({ databases, clock, ids: newId, writes, scopes: createScopes({ databases }) }),
    events: writes.published,
    queued,
    reactions,
    notices,
    wakes: () => woken,
    write: work => writes.tell(orgId, work),
    apply: (...items) => writes.tell(orgId, write => applyItems(write, items, { clock, ids: newId })),
    async connect(phone = '5491150000000', { phoneNumberId = firstNumber, kind = 'sandbox' } = {}) {
      const number = { ...aNumber, phone, kind, phone_number_id: phoneNumberId, disconnected_at: null }
      const old = await databases.write
        .selectFrom('wa_connection')
        .select('id')
        .where('org_id', '=', orgId)
        .where('phone_number_id', '=', phoneNumberId)
        .executeTakeFirst()
      const id = old?.id ?? newId()
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
