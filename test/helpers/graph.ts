import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface GraphRequest {
  method: string
  path: string
  body: unknown
  authorization: string | undefined
}

/**
 * How the next request is answered: JSON with a status, or one of the ways a network fails. `cut` takes the request
 * and breaks the line before the answer, `reset` breaks it at once, `hang` never answers, `html` is a proxy's page.
 */
export type GraphAnswer =
  | { status: number; body: unknown }
  | 'cut'
  | 'reset'
  | 'hang'
  | 'html'
  | { bytes: Buffer; mime: string }
type Rule = {
  match: RegExp
  answer: GraphAnswer | ((request: GraphRequest) => GraphAnswer | Promise<GraphAnswer>)
  left: number
}

export interface FakeGraph {
  url: string
  /** Every request, in order. */
  requests: GraphRequest[]
  /** Bodies of accepted messages, including those whose response was lost. */
  taken(): Record<string, unknown>[]
  /** Answers the next `count` requests whose `METHOD /path` matches. */
  on(match: RegExp, answer: Rule['answer'], count?: number): void
  close(): Promise<void>
}

export const graphError = (code: number, status = 400, more: Record<string, unknown> = {}): GraphAnswer => ({
  status,
  body: { error: { message: `(#${code}) of the fake`, type: 'OAuthException', code, fbtrace_id: 'Afake', ...more } },
})

const readBody = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data'))
    return Object.fromEntries(await new Response(bytes, { headers: { 'content-type': type } }).formData())
  const text = bytes.toString()
  return text ? JSON.parse(text) : undefined
}

/**
 * A Graph API on the loopback that answers as a test says, otherwise with Meta's success. The number is 15550783881.
 */
export async function fakeGraph(): Promise<FakeGraph> {
  const requests: GraphRequest[] = []
  const rules: Rule[] = []
  const taken: Record<string, unknown>[] = []
  let wamids = 0
  let files = 0

  const usual = (request: GraphRequest): GraphAnswer => {
    const path = request.path.replace(/^\/v\d+\.\d+/, '').replace(/\?.*/, '')
    if (request.method === 'POST' && path.endsWith('/messages')) {
      const body = request.body as Record<string, unknown>
      if (body.status === 'read') return { status: 200, body: { success: true } }
      wamids += 1
      const input = String(body.to ?? body.recipient)
      return {
        status: 200,
        body: {
          messaging_product: 'whatsapp',
          contacts: [{ input, wa_id: input }],
          messages: [{ id: `wamid.out${wamids}` }],
        },
      }
    }
    if (request.method === 'POST' && path.endsWith('/media')) {
      files += 1
      return { status: 200, body: { id: `70000${files}` } }
    }
    if (request.method === 'POST' && path.endsWith('/subscribed_apps')) return { status: 200, body: { success: true } }
    if (path.endsWith('/phone_numbers'))
      return { status: 200, body: { data: [{ id: '106540352242922' }, { id: '106540352242923' }] } }
    return {
      status: 200,
      body: {
        id: path.slice(1),
        display_phone_number: '+1 555-078-3881',
        verified_name: 'Panadería Don Luis',
        quality_rating: 'GREEN',
      },
    }
  }

  const isSend = (request: GraphRequest) =>
    request.method === 'POST' &&
    /\/messages$/.test(request.path) &&
    (request.body as { status?: unknown }).status === undefined

  const reply = (request: GraphRequest, response: ServerResponse, answer: GraphAnswer) => {
    const isTaken = answer === 'cut' || (typeof answer === 'object' && 'status' in answer && answer.status === 200)
    if (isTaken && isSend(request)) taken.push(request.body as Record<string, unknown>)
    if (answer === 'hang') return
    if (answer === 'cut' || answer === 'reset') response.socket?.destroy()
    else if (answer === 'html') response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>')
    else if ('bytes' in answer) response.writeHead(200, { 'content-type': answer.mime }).end(answer.bytes)
    else
      response
        .writeHead(answer.status, { 'content-type': 'application/json; charset=UTF-8' })
        .end(JSON.stringify(answer.body))
  }

  const server = createServer(async (incoming, response) => {
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      body: await readBody(incoming),
      authorization: incoming.headers.authorization,
    }
    requests.push(request)
    const rule = rules.find(({ match, left }) => left > 0 && match.test(`${request.method} ${request.path}`))
    if (!rule) return reply(request, response, usual(request))
    rule.left -= 1
    reply(request, response, typeof rule.answer === 'function' ? await rule.answer(request) : rule.answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    taken: () => taken,
    on: (match, answer, count = 1) => void rules.unshift({ match, answer, left: count }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
