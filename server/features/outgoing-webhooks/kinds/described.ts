import type { Static } from 'typebox'
import {
  type ChosenType,
  type outgoingWebhooksApi,
  tapDelivery,
  type WebhookType,
  webhookTypes,
} from '#shared/outgoing-webhooks/api.ts'
import { kindOf } from './all.ts'
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

const describe = (type: WebhookType) => (type === tapDelivery ? tap : kindOf(type as ChosenType))

/** A whole delivery of this type. */
const sampleBody = (type: WebhookType) => ({ type, timestamp: sampleAt, data: describe(type).sample })

/** Every event that a webhook can choose, in the order of the contract. */
export const describedEvents = (): Described[] =>
  webhookTypes.map(type => ({
    type,
    summary: describe(type).summary,
    sample: JSON.stringify(sampleBody(type), null, 2),
  }))
