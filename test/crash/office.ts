import { setTimeout as sleep } from 'node:timers/promises'
import type { Message } from '#shared/inbox/messages.ts'
import type { AMember } from '#test/helpers/actors.ts'
import type { Server } from './fleet.ts'

const settleWithinMs = 30_000
const pauseMs = 50

/** A member who calls the API and, like the browser, repeats interrupted calls with the same key. */
export class Office {
  readonly #server: Server
  readonly #member: AMember
  constructor(server: Server, member: AMember) {
    this.#server = server
    this.#member = member
  }

  /** The caller and the organization. */
  get headers(): Record<string, string> {
    return { cookie: this.#member.cookie, 'x-organization': this.#member.org.slug }
  }

  async call(
    method: string,
    path: string,
    options: { body?: unknown; key?: string } = {},
  ): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.#server.url}/api${path}`, {
      method,
      headers: {
        ...this.headers,
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.key ? { 'idempotency-key': options.key } : {}),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }

  /**
   * Repeats until it succeeds: over a dead server, and while an earlier call with the key is running. @throws if it is
   * refused for another reason, or takes too long.
   */
  async insist<Reply>(method: string, path: string, options: { body?: unknown; key?: string } = {}): Promise<Reply> {
    const until = Date.now() + settleWithinMs
    for (;;) {
      let said = 'no answer'
      try {
        await this.#server.ready
        const { status, body } = await this.call(method, path, options)
        if (status < 300) return body as Reply
        said = `${status} ${JSON.stringify(body)}`
        if (![404, 409, 429, 502, 503].includes(status)) throw new Refused(said)
      } catch (error) {
        if (error instanceof Refused) throw error
      }
      if (Date.now() > until) throw new Error(`${method} ${path}: ${said}`)
      await sleep(pauseMs)
    }
  }

  send(to: string, text: string, key: string): Promise<Message> {
    return this.insist('POST', '/whatsapp/messages', { key, body: { type: 'text', message: text, numberTel: to } })
  }

  async messagesOf(phone: string): Promise<Message[]> {
    // By cursor, not by page number: pages shift while more messages arrive.
    const all: Message[] = []
    for (let before = ''; ; ) {
      const reply = await this.insist<{ items: Message[]; hasMore: boolean }>(
        'GET',
        `/whatsapp/chats/${phone}${before}`,
      )
      all.push(...reply.items)
      const oldest = reply.items[0]
      if (!reply.hasMore || !oldest) return all
      before = `?before=${oldest.id}`
    }
  }
}

class Refused extends Error {}
