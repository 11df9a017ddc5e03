import type { Test } from 'tap'
import type { WebhookType } from '#shared/outgoing-webhooks/api.ts'
import { startBackend } from './backend.ts'
import { flowStage, graphOf, onHello } from './flow-stage.ts'

export const webhookPath = '/whatsapp/outgoing-webhooks'
export const webhookUrl = 'https://orders.example.com/recado'

export interface Heard {
  readonly url: string
  readonly method: string
  readonly body: string
  readonly headers: Record<string, string>
}

interface Delivered {
  readonly type: string
  readonly timestamp: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any of the events
  readonly data: any
}

/**
 * An organization on the simulator with a flow, and a program that responds as the test says. The flow answers `hola`
 * with `bienvenida`.
 */
export const webhookStage = async (t: Test) => {
  const heard: Heard[] = []
  const program = { answer: (_one: Heard) => new Response('thanks') as Response | Promise<Response> }
  const pushFetch = (async (address: string, init: RequestInit) => {
    const one: Heard = {
      ...{ url: address, method: init.method ?? '', body: String(init.body ?? '') },
      headers: Object.fromEntries(new Headers(init.headers)),
    }
    heard.push(one)
    return program.answer(one)
  }) as unknown as typeof globalThis.fetch
  const all = await flowStage(
    t,
    graphOf([{ id: 'm', type: 'message', text: 'bienvenida' }], [['s', 'next', 'm']]),
    onHello,
    { pushFetch },
  )
  const { backend, call } = all
  /** Adds a webhook. Returns its secret. */
  const listen = async (events: readonly WebhookType[], more: object = {}) => {
    const reply = await call('POST', webhookPath, { name: 'orders', url: webhookUrl, events, ...more })
    t.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.secret as string
  }
  /** The webhooks that the program received since the last call. */
  const delivered = async (): Promise<Delivered[]> => {
    await backend.settle()
    return heard.splice(0).map(({ body }) => JSON.parse(body))
  }
  /** Another process on the same database. */
  const startAnother = () => startBackend(t, { databases: all.databases, clock: backend.clock, pushFetch })
  return { ...all, heard, program, listen, delivered, startAnother }
}
