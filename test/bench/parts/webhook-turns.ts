import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fill } from './fill.ts'

/** A number whose webhooks are signed and sent. */
export interface Sender {
  readonly id: string
  readonly appSecret: string
  readonly phoneNumberId: string
  readonly wabaId: string
}

const fullBytes = 1_700_000
const maxWaitMs = 60_000

const messagesOf = ({ wabaId, phoneNumberId }: Sender, count: number, mark: string): string => {
  const list = fill(
    i =>
      `{"id":"wamid.${mark}${i}","from":"54911${10_000_000 + i}","timestamp":"1795179600","type":"text","text":{"body":"x"}}`,
    fullBytes,
    count,
  )
  const value = `{"metadata":{"phone_number_id":"${phoneNumberId}"},"messages":[${list}]}`
  return `{"object":"whatsapp_business_account","entry":[{"id":"${wabaId}","changes":[{"field":"messages","value":${value}}]}]}`
}

/** How long the message of one number's customer takes to be told to its tabs, behind three webhooks of 14,000 for another, in ms. */
export async function waitBehindFullWebhooks(parts: {
  url: string
  busy: Sender
  quiet: Sender
  /** The number of the newest event of the quiet one's organization. */
  place(): Promise<number>
}): Promise<number> {
  const { url, busy, quiet, place } = parts
  const post = async (to: Sender, body: string) => {
    const signature = createHmac('sha256', to.appSecret).update(body).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
    const reply = await fetch(`${url}/webhooks/whatsapp/${to.id}`, { method: 'POST', body, headers })
    if (reply.status !== 200) throw new Error(`A webhook was answered ${reply.status}`)
  }
  for (const mark of ['x', 'y', 'z']) await post(busy, messagesOf(busy, 14_000, mark))
  const before = await place()
  const begun = performance.now()
  await post(quiet, messagesOf(quiet, 1, 'quiet'))
  while ((await place()) === before) {
    if (performance.now() - begun > maxWaitMs) break
    await pause(5)
  }
  return performance.now() - begun
}
