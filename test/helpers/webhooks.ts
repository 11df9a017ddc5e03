import { createHmac } from 'node:crypto'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { readWebhook } from '#server/whatsapp/webhooks/webhook.ts'

interface TextFacts {
  phoneNumberId?: string
  wabaId?: string
  from?: string
  wamid?: string
  text?: string
  timestamp?: string
}

/** JSON as Meta writes it: non-ASCII characters as `\uXXXX`, slashes escaped. */
export const metaJson = (value: unknown): Buffer =>
  Buffer.from(
    JSON.stringify(value)
      .replaceAll('/', '\\/')
      .replace(/[\u0080-\uffff]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )

export const envelope = (value: unknown, wabaId = '102290129340398', field = 'messages') => ({
  object: 'whatsapp_business_account',
  entry: [{ id: wabaId, changes: [{ field, value }] }],
})

export const textOfWebhook = '¿Hola? 👍'

/** Meta's webhook for one text of a customer. */
export const textWebhook = (facts: TextFacts = {}): Buffer => {
  const {
    phoneNumberId = '106540352242922',
    wabaId,
    from = '5491155551234',
    wamid = 'wamid.A',
    text = textOfWebhook,
    timestamp = '1795179600',
  } = facts
  return metaJson(
    envelope(
      {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
        contacts: [{ profile: { name: 'José Ñandú' }, wa_id: from }],
        messages: [{ from, id: wamid, timestamp, type: 'text', text: { body: text } }],
      },
      wabaId,
    ),
  )
}

/** The value of `x-hub-signature-256` for these bytes. */
export const signatureOf = (raw: Buffer | string, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(raw).digest('hex')}`

/** All items of a webhook, as an array. */
export const itemsOf = (raw: Buffer, receivedAt: string): WebhookItem[] => [...readWebhook(raw, receivedAt)]
