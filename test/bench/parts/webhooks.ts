import { createHmac } from 'node:crypto'
import type { Installation } from './installation.ts'

export interface SignedWebhook {
  readonly wamid: string
  /** The whole HTTP request. */
  readonly request: Buffer
}

const texts = [
  'Hola! Quería saber si tienen medialunas para mañana',
  'Buen día, ¿hacen envíos a domicilio?',
  'Necesito una torta para el sábado, para 20 personas',
  'Gracias!! paso a las 6',
]

/**
 * Webhooks of one text message each in Meta's serialization, signed, with ids of their own: `run` keeps the rounds of
 * one installation apart. Customers take turns over `customers` numbers.
 */
export function signWebhooks(
  { connection }: Pick<Installation, 'connection'>,
  count: number,
  run: string,
  customers = 500,
): SignedWebhook[] {
  const seconds = Math.floor(Date.now() / 1000)
  const path = `/webhooks/whatsapp/${connection.id}`
  return Array.from({ length: count }, (_, i) => {
    const wamid = `wamid.HBgNNTQ5MTE${run}${String(i).padStart(8, '0')}`
    const from = `54911${String(40_000_000 + (i % customers))}`
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: connection.wabaId,
          changes: [
            {
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: '5491155550000', phone_number_id: connection.phoneNumberId },
                contacts: [{ profile: { name: `Cliente ${i % customers}` }, wa_id: from }],
                messages: [
                  {
                    from,
                    id: wamid,
                    timestamp: String(seconds),
                    text: { body: `${texts[i % texts.length]} (${i})` },
                    type: 'text',
                  },
                ],
              },
              field: 'messages',
            },
          ],
        },
      ],
    })
    const signature = createHmac('sha256', connection.appSecret).update(body).digest('hex')
    const head =
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: facebookexternalua\r\naccept: */*\r\ncontent-type: application/json\r\n` +
      `x-hub-signature-256: sha256=${signature}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
    return { wamid, request: Buffer.from(head + body) }
  })
}
