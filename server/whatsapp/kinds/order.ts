import type { MessageContent } from '../inbound.ts'
import { asId, asList, asNumber, asObject, cleanLine, cleanText } from '../scalars.ts'
import type { Kinds, Reader } from './kind.ts'

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

export const orderKinds = {
  order: { reads: { order: read } },
} satisfies Kinds
