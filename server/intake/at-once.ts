import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'

/** Of what comes in one piece or two; whatever is larger, or does not say how large it is, goes the long way. */
const atOnceBytes = 64 * 1024

const okHeaders = ['content-type', 'text/plain; charset=utf-8', 'content-length', '2']

const path = '/webhooks/whatsapp'
const behindPath = /^\/([\w-]{1,100})$/

/** Where a webhook came: to a connection, by its id, or with null to the shared address. */
export type WebhookAddress = string | null

/** Undefined: to no address of webhooks, or to one that is written in another way than Meta was given it. */
const addressIn = (url: string): WebhookAddress | undefined => {
  if (!url.startsWith(path)) return undefined
  return url.length === path.length ? null : behindPath.exec(url.slice(path.length))?.[1]
}

/** How many bytes follow is said, and they are few; as HTTP/1.1 demands, so is the host. */
const isUsual = ({ method, headers }: IncomingMessage): boolean => {
  const bytes = Number(headers['content-length'])
  return method === 'POST' && bytes > 0 && bytes <= atOnceBytes && headers.host !== undefined
}

const readBody = (request: IncomingMessage, onBody: (body: Buffer) => void, onError: (error: unknown) => void) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('error', onError)
  request.on('end', () => {
    request.removeListener('error', onError)
    onBody(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces))
  })
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Why webhooks that were taken ahead go the way of every other call after all. */
const refusals = new WeakMap<IncomingMessage, { readonly error: unknown }>()

/** `onRequest` of the routes of webhooks: refuses what was taken ahead and refused, as they would. */
export const refuseTaken: onRequestHookHandler = ({ raw }, _reply, done) => {
  done(refusals.get(raw)?.error as Error | undefined)
}

/**
 * A webhook as Meta sends it is taken and answered before Fastify hears of it, as finding its route, and what stands
 * before every call, costs more than to check its signature. All else, and every refusal, goes the usual way; so does
 * everything once the server ends.
 */
export function takeAtOnce(
  app: FastifyInstance,
  take: (address: WebhookAddress, request: IncomingMessage, body: Buffer) => Promise<unknown>,
): void {
  const usual = app.server.listeners('request') as Listener[]
  let isEnding = false
  app.addHook('preClose', async () => {
    isEnding = true
  })
  const goOn: Listener = (request, response) => {
    for (const listener of usual) listener.call(app.server, request, response)
  }
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    const address = addressIn(request.url ?? '')
    if (address === undefined || isEnding || !isUsual(request)) return goOn(request, response)
    const onRefusal = (error: unknown) => {
      refusals.set(request, { error })
      goOn(request, response)
    }
    const onTaken = () => response.writeHead(200, okHeaders).end('ok')
    readBody(request, body => take(address, request, body).then(onTaken, onRefusal), onRefusal)
  })
}
