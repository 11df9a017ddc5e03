import { archiveStates } from '#server/messaging/archive-states.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import type { FlowPass } from '#server/messaging/events.ts'
import type { InboundContent, MessageContent, WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { testCodeOf } from '#shared/flows/testing/tests.ts'
import type { AskedMessage } from './asked-message.ts'
import type { Fresh } from './messages.ts'
import type { TappedActions } from './tapped.ts'

type Heard = Extract<WebhookItem, { kind: 'message' }>

/** No flow answers a message that took longer to reach us, because the question may be settled by now. */
const wakesWithinMs = 3 * 60 * 1000

/** Milliseconds from sending to the arrival of the webhook. Our own delay in processing it does not count. */
const wayOf = ({ at, receivedAt }: { at: string; receivedAt?: string }, now: number): number =>
  (receivedAt === undefined ? now : Date.parse(receivedAt)) - Date.parse(at)

/** Why flows must not answer the message. Undefined: they may. A call is not a message that a flow can answer. */
export const passOf = ({ body, ...item }: Heard, now: number): FlowPass | undefined => {
  if (body.type === 'call') return 'call'
  return wayOf(item, now) > wakesWithinMs ? 'late' : undefined
}

/** The advertisement of a referral. Null for none, and for a product of the catalogue. */
const adOf = (referral: MessageContent['referral']) =>
  referral === undefined || referral.sourceType === 'product' ? null : { id: referral.sourceId }

const sharedIn = ({ media, content }: InboundContent): AskedMessage['shared'] => {
  if (media) return { kind: 'file', value: media.name ?? media.mime }
  const { latitude, longitude } = content?.location ?? {}
  return latitude === undefined ? undefined : { kind: 'location', value: `${latitude},${longitude}` }
}

/** The messages that flows may answer, with the state of their conversations before these messages. */
export const askedOf = (fresh: readonly Fresh[], now: number, actions: TappedActions): AskedMessage[] => {
  const seen = new Set<ListRow>()
  return fresh.flatMap(({ row, item, message }) => {
    if (item.kind !== 'message' || item.past || item.standby || row.blocked_at !== null) return []
    const isEarliest = !seen.has(row)
    seen.add(row)
    if (item.groupId !== undefined || passOf(item, now)) return []
    const isHeld = row.control === 'human' || row.control === 'needsHuman'
    // The test code of a flow works even while a person holds the conversation.
    if (isHeld && testCodeOf(message.text) === undefined) return []
    const { body } = item
    return [
      {
        messageId: message.id,
        conversationId: row.id,
        contactId: row.contact_id,
        text: message.text,
        isText: body.type === 'text' || body.type === 'choice',
        shared: sharedIn(body),
        tappedId: body.content?.choice?.id ?? null,
        action: actions.get(message.id),
        ad: adOf(body.content?.referral),
        at: message.at,
        hasBot: row.control === 'bot',
        isHeld,
        isFirst: isEarliest && row.last_message_seq === null,
        wasArchived: isEarliest && row.archived === archiveStates.archived,
        lastAt: row.last_message_at,
      },
    ]
  })
}
