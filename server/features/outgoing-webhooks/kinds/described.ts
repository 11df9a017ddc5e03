import type { Static, TObject } from 'typebox'
import type { WebhookList } from '#server/platform/http/described-calls.ts'
import { Conversation } from '#shared/inbox/conversations.ts'
import { Message } from '#shared/inbox/messages.ts'
import { Timestamp } from '#shared/kernel/list.ts'
import {
  type ChosenType,
  type outgoingWebhooksApi,
  tapDelivery,
  type WebhookType,
  webhookTypes,
} from '#shared/outgoing-webhooks/api.ts'
import { webhookKind } from './all.ts'
import { sampleConversationFields } from './kind.ts'
import { sampleMessage } from './samples.ts'

type Described = Static<typeof outgoingWebhooksApi.listEvents.reply>['items'][number]

const sampleAt = '2026-12-01T15:04:05.000Z'
const { conversationId, customer } = sampleConversationFields

/** A tap is stored by the actions of messages, with data of its own. */
const tap = {
  summary: 'A customer tapped a button of the action `webhook` that names this webhook.',
  sample: {
    conversationId,
    messageId: sampleMessage.id,
    label: 'Confirmar',
    reference: 'pedido-1042',
    contact: { id: customer.id, name: customer.name, phone: customer.phone },
  },
}

const describe = (type: WebhookType) => (type === tapDelivery ? tap : webhookKind(type as ChosenType))

/** A whole delivery of this type. */
const sampleBody = (type: WebhookType) => ({ type, timestamp: sampleAt, data: describe(type).sample })

/** Every event that a webhook can choose, in the order of the contract. */
export const describedEvents = (): Described[] =>
  webhookTypes.map(type => ({
    type,
    summary: describe(type).summary,
    sample: JSON.stringify(sampleBody(type), null, 2),
  }))

/** A property that is one of these schemas refers to it, because each would be printed a dozen times. */
const shared = { Message, Conversation }
const referring = ({ properties, ...rest }: TObject): object => ({
  ...rest,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const [shares] = Object.entries(shared).flatMap(([key, one]) => (one === schema ? [key] : []))
      return [name, shares ? { $ref: `#/components/schemas/${shares}` } : schema]
    }),
  ),
})

const bodyOf = (type: WebhookType): object => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { const: type },
    timestamp: Timestamp,
    data: type === tapDelivery ? { type: 'object' } : referring(webhookKind(type as ChosenType).data),
  },
})

/** The events for the API document. */
export const documentedEvents = (): WebhookList => ({
  webhooks: webhookTypes.map(type => ({
    type,
    summary: describe(type).summary,
    body: bodyOf(type),
    example: sampleBody(type),
  })),
  schemas: shared,
})
