import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from '#server/cli/seed-words.ts'
import { envelope, metaJson, signatureOf } from '#test/helpers/webhooks.ts'

/** A message that WhatsApp accepted: recorded outside, so no crash of ours affects it. */
export interface Taken {
  readonly wamid: string
  readonly to: string
  readonly text: string
  readonly callback: string
}

export interface GraphNumber {
  readonly phoneNumberId: string
  readonly wabaId: string
  readonly phone: string
  readonly appSecret: string
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const reply = (response: ServerResponse, body: unknown) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}

/** The template of the bulk send. */
const template = {
  id: '700100200300400',
  name: 'aviso',
  language: 'es_AR',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Hola, mañana abrimos a las ocho en punto.' }],
}

const repeatMs = 100

/**
 * The part of the Cloud API needed to connect a number and accept its messages. Records every message; delays some
 * responses, so that a kill falls between acceptance and our receiving the response; repeats status webhooks until they
 * are answered 200, as Meta does.
 */
export class GraphStub {
  readonly ledger: Taken[] = []
  /** The webhook address; read for each post. */
  webhookUrl: (() => string) | undefined
  readonly #number: GraphNumber
  readonly #dice: Dice
  readonly #server: Server
  #open = true
  #reports = 0
  constructor(number: GraphNumber, dice: Dice) {
    this.#number = number
    this.#dice = dice
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close() {
    this.#open = false
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /** Status webhooks not accepted yet. */
  get waitingReports(): number {
    return this.#reports
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const { phoneNumberId, phone } = this.#number
    const path = new URL(request.url ?? '/', 'http://graph').pathname
    const body = await bodyOf(request).catch(() => undefined)
    // The other side died while sending: nothing arrived.
    if (body === undefined) return
    if (path.endsWith('/messages')) return this.#take(JSON.parse(body), response)
    if (path.endsWith('/phone_numbers')) return reply(response, { data: [{ id: phoneNumberId }] })
    if (path.endsWith('/message_templates')) return reply(response, { data: [template] })
    if (path.endsWith('/subscribed_apps')) return reply(response, { success: true })
    reply(response, {
      id: phoneNumberId,
      display_phone_number: `+${phone}`,
      verified_name: 'Crash',
      quality_rating: 'GREEN',
    })
  }

  async #take(call: Record<string, unknown>, response: ServerResponse) {
    if (call.status !== undefined) return reply(response, { success: true })
    const to = String(call.to ?? call.recipient)
    const taken: Taken = {
      wamid: `wamid.${randomBytes(12).toString('base64url')}`,
      to,
      text: (call.text as { body: string } | undefined)?.body ?? '',
      callback: String(call.biz_opaque_callback_data),
    }
    this.ledger.push(taken)
    void this.#report(taken)
    await sleep(this.#dice.roll() < 0.3 ? 20 + this.#dice.below(150) : this.#dice.below(10))
    reply(response, {
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id: taken.wamid }],
    })
  }

  async #report({ wamid, to, callback }: Taken) {
    this.#reports += 1
    await sleep(this.#dice.below(60))
    for (const status of ['sent', 'delivered']) {
      const { phoneNumberId, phone, wabaId } = this.#number
      const timestamp = String(Math.floor(Date.now() / 1000))
      const value = {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: phone, phone_number_id: phoneNumberId },
        statuses: [{ id: wamid, status, timestamp, recipient_id: to, biz_opaque_callback_data: callback }],
      }
      while (this.#open && !(await this.post(metaJson(envelope(value, wabaId))))) await sleep(repeatMs)
    }
    this.#reports -= 1
  }

  /** Posts a signed webhook; true if it was answered 200. */
  async post(raw: Buffer): Promise<boolean> {
    if (!this.webhookUrl) return false
    try {
      const response = await fetch(this.webhookUrl(), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': signatureOf(raw, this.#number.appSecret),
        },
        body: new Uint8Array(raw),
      })
      await response.arrayBuffer()
      return response.status === 200
    } catch {
      // Refused or cut off: not answered.
      return false
    }
  }
}
