import type { Choose } from '#server/messaging/assignment/giving-out.ts'
import { handOver, noteAsBot, tagAsBot } from '#server/messaging/automation/bot-changes.ts'
import { findRows, type ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { nameOf } from '#server/messaging/conversations/shown/present.ts'
import type { AskedMessage } from '#server/messaging/messages/inbound/asked-message.ts'
import type { ActionOf } from '#server/messaging/messages/inbound/tapped.ts'
import type { Outbox } from '#server/messaging/outbox/outbox.ts'
import { sendAutomaticText } from '#server/messaging/sending/automatic.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import type { Db } from '#server/platform/db/database.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { actionLimits } from '#shared/inbox/message-actions.ts'
import type { Language } from '#shared/kernel/language.ts'
import { tapDelivery } from '#shared/outgoing-webhooks/api.ts'
import { type ActionIds, isActionId } from './ids.ts'
import { findAction, recordTap, type StoredAction } from './store.ts'

interface TapParts {
  readonly actionIds: Pick<ActionIds, 'read'>
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly outbox: Pick<Outbox, 'enqueueMessage'>
  readonly tags: Tags
  readonly choosing?: Choose
  /** Undefined: the organization has no active webhook of that name. */
  callWebhook(write: OrgWrite, name: string, said: { type: string; data: object }): Promise<object | undefined>
  readLanguage(orgId: string, db: Db): Promise<Language>
  translate(language: Language, key: string, params?: Record<string, string | number>): string
}

/** A button that was tapped in a conversation. */
interface Tap {
  readonly conversationId: string
  readonly id: string
  readonly at: string
}

type Received = EventOf<'message.received'>

const validMs = actionLimits.days * 24 * 60 * 60 * 1000
const part = 'actions'

const isLate = ({ at }: StoredAction, tap: Tap): boolean => Date.parse(tap.at) - Date.parse(at) > validMs

/**
 * Runs the action of our message's button, in the transaction that stores the tap, and only for the first tap. An id
 * that we never issued, or issued to somebody else, is an ordinary tap.
 */
export function createTaps(parts: TapParts) {
  const findSent = async ({ db, orgId }: Pick<OrgWrite, 'db' | 'orgId'>, tap: Tap) => {
    const messageId = isActionId(tap.id) ? parts.actionIds.read(orgId, tap.id) : undefined
    const found = messageId === undefined ? undefined : await findAction(db, orgId, messageId)
    return found?.conversationId === tap.conversationId ? found : undefined
  }
  const find = async (write: OrgWrite, tap: Tap): Promise<StoredAction | undefined> => {
    const found = await findSent(write, tap)
    return found?.action.takenAt === undefined ? found : undefined
  }

  const say = async ({ db, orgId }: OrgWrite, key: string, params?: Record<string, string>) =>
    parts.translate(await parts.readLanguage(orgId, db), key, params)

  const note = async (write: OrgWrite, conversationId: string, key: string, params: Record<string, string>) =>
    noteAsBot(write, conversationId, { text: await say(write, key, params), by: systemActor(part) }, parts)

  const act = async (write: OrgWrite, row: ListRow, { label, action, messageId }: StoredAction): Promise<void> => {
    const conversationId = row.id
    switch (action.name) {
      case 'confirm':
        return note(write, conversationId, 'flows:action.confirmed', { label, key: action.data.key })
      case 'add_tag':
        try {
          return await tagAsBot(write, conversationId, { tagId: action.data.tagId, isOn: true }, parts)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          return note(write, conversationId, 'flows:action.notTagged', { label })
        }
      case 'handoff': {
        const to = { teamId: action.data.teamId ?? null, memberId: null, note: null, by: systemActor(part) }
        return handOver(write, conversationId, to, parts)
      }
      case 'webhook': {
        const { name, reference = null } = action.data
        const contact = { id: row.contact_id, name: nameOf(row), phone: row.wa_id }
        const data = { conversationId, messageId, label, reference, contact }
        if (await parts.callWebhook(write, name, { type: tapDelivery, data })) return
        return note(write, conversationId, 'flows:action.notCalled', { label, name })
      }
      // If it could begin, it has already been taken with the message.
      case 'start_flow':
        return note(write, conversationId, 'flows:action.notStarted', { label })
    }
  }

  const listener: TransactionListener<'message.received'> = {
    name: 'taps on buttons that do something',
    on: ['message.received'],
    async handle(write, events) {
      for (const { data } of events as readonly Received[]) {
        const { conversationId, past, group, message } = data
        const { choice } = message
        if (past || group || choice?.kind !== 'button' || choice.id === null) continue
        const tap = { conversationId, id: choice.id, at: message.at }
        const found = await find(write, tap)
        if (!found) continue
        const [row] = await findRows.byId(write.db, [conversationId], { orgId: write.orgId })
        if (!row || row.blocked_at !== null) continue
        if (!(await recordTap(write.db, write.orgId, found, tap.at))) continue
        if (!isLate(found, tap)) await act(write, row, found)
        else {
          const text = await say(write, 'flows:action.expired')
          await sendAutomaticText(write, { conversationId, text, part }, parts)
        }
      }
    },
  }

  const actionOf: ActionOf = async (write, tap) => {
    const found = await findSent(write, tap)
    if (!found) return undefined
    const { messageId, action } = found
    const isFirst = action.takenAt === undefined && !isLate(found, tap)
    return { name: action.name, messageId, isFirst, ...(action.name === 'confirm' ? { key: action.data.key } : {}) }
  }

  return {
    listener,
    actionOf,
    /** The flow that a tap begins. The caller starts it. Call it only where a flow can begin. */
    async takeFlow(
      write: OrgWrite,
      { conversationId, tappedId, at }: Pick<AskedMessage, 'conversationId' | 'tappedId' | 'at'>,
      isLive: (flowId: string) => boolean,
    ): Promise<string | undefined> {
      if (tappedId === null) return undefined
      const tap = { conversationId, id: tappedId, at }
      const found = await find(write, tap)
      if (found?.action.name !== 'start_flow' || isLate(found, tap)) return undefined
      const { flowId } = found.action.data
      if (!isLive(flowId)) return undefined
      return (await recordTap(write.db, write.orgId, found, at)) ? flowId : undefined
    },
  }
}
