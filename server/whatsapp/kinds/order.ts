import { Type } from 'typebox'
import { OrderStatus, orderStates } from '#shared/inbox/message-kinds.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import { asId, asList, asNumber, asObject, cleanLine, cleanText, type Json } from '../scalars.ts'
import type { MessageContent } from '../webhooks/inbound.ts'
import { fault, requireWords } from './asked.ts'
import type { Kinds, Reader, Sendings } from './kind.ts'

type OrderItem = NonNullable<MessageContent['order']>['items'][number]

const itemOf = (entry: unknown): OrderItem | undefined => {
  const item = asObject(entry)
  const sku = cleanLine(item?.product_retailer_id)
  if (item === undefined || sku === undefined) return undefined
  const price = asNumber(item.item_price)
  return {
    sku,
    quantity: asNumber(item.quantity) ?? 1,
    ...(price === undefined ? {} : { price }),
    currency: cleanLine(item.currency, 8) ?? '',
  }
}

const read: Reader = part => {
  const items = asList(part.product_items)
    .slice(0, 1000)
    .flatMap(entry => itemOf(entry) ?? [])
  if (items.length === 0) return undefined
  const note = cleanText(part.text)
  return {
    type: 'order',
    text: note,
    content: { order: { catalogId: asId(part.catalog_id) ?? null, ...(note ? { note } : {}), items } },
  }
}

const { referenceId: Reference, status: Status } = OrderStatus.properties
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** Meta accepts it only from numbers of India, Brazil and Singapore. Its pages about payments describe it. */
const orderStatusSchema = Type.Object({
  type: Type.Literal('order_status'),
  body: Type.Object({ text: text(outboundLimits.interactiveBody) }),
  footer: Type.Optional(Type.Object({ text: text(outboundLimits.footer) })),
  action: Type.Object({
    name: Type.Literal('review_order'),
    parameters: Type.Object({
      reference_id: Reference,
      order: Type.Object({ status: Status, description: Type.Optional(text(120)) }),
    }),
  }),
})

/** Reads the fields of Meta's `order_status` message, which may lack any of them. */
const orderStatusIn = (interactive: Json) => {
  const parameters = asObject(asObject(interactive.action)?.parameters)
  const order = asObject(parameters?.order)
  const description = cleanLine(order?.description, 120)
  return {
    body: cleanText(asObject(interactive.body)?.text, outboundLimits.interactiveBody),
    referenceId: asId(parameters?.reference_id) ?? '',
    status: orderStates.find(state => state === order?.status),
    ...(description ? { description } : {}),
  }
}

const readOrderStatus: Reader = part => {
  const { body, status, ...rest } = orderStatusIn(part)
  return status && { type: 'order_status', text: body, content: { orderStatus: { ...rest, status } } }
}

const orderStatus: Sendings['order_status'] = {
  asked: {
    type: 'order_status',
    read: body => {
      if (!body.orderStatus) throw fault('orderStatus', 'required')
      const words = requireWords(body, outboundLimits.interactiveBody)
      return { type: 'order_status', body: words, orderStatus: body.orderStatus }
    },
    example: {
      message: 'Tu pedido ya salió para allá',
      orderStatus: { referenceId: 'A-1001', status: 'shipped', description: 'Llega antes de las 8' },
    },
  },
  shown: ({ body, orderStatus }) => ({ type: 'order_status', text: body, content: { orderStatus } }),
  part: ({ body, orderStatus: { referenceId, ...order } }) => ({
    type: 'interactive',
    interactive: {
      type: 'order_status',
      body: { text: body },
      action: { name: 'review_order', parameters: { reference_id: referenceId, order } },
    },
  }),
  interactive: {
    type: 'order_status',
    schema: orderStatusSchema,
    // A real phone translates the status. The simulator's phone shows Meta's name of it.
    seen: interactive => {
      const { body, referenceId, status = '', description } = orderStatusIn(interactive)
      const header = `${referenceId} · ${status.replaceAll('_', ' ')}`
      return { text: body, header, ...(description ? { footer: description } : {}) }
    },
  },
}

export const orderKinds = {
  order: { reads: { order: read } },
  order_status: { readsInteractive: { order_status: readOrderStatus }, sends: { order_status: orderStatus } },
} satisfies Kinds
