/**
 * An example of a backend that Recado can stand in front of, in memory. It serves only what
 * `server/docs/product-api.md` requires. To run it: `RECADO_URL=http://localhost:3000 PORT=4000 node
 * test/helpers/product-api.ts`.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'

interface Message {
  id: string
  wamid: string
  direction: 'in' | 'out'
  type: string
  text: string
  at: string
  status: string
  media?: { url: string; mime: string; name: string; size: number }
}

/** The data of one organization. */
interface Book {
  conversations: Map<string, { phone: string; name: string; archived: boolean; unread: number; messages: Message[] }>
  templates: Map<string, Record<string, unknown>>
}

class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface Asked {
  readonly book: Book
  readonly claims: JWTPayload
  /** The values of the route's `:name` parts. */
  readonly params: readonly string[]
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
}
type Answer = (asked: Asked) => unknown

const conversationsPerPage = 30
const messagesPerPage = 50
const dayMs = 24 * 60 * 60 * 1000

const lastOf = <T>(list: readonly T[]) => list.at(-1)

const present = ({ phone, name, archived, unread, messages }: ReturnType<Book['conversations']['get']> & object) => {
  const last = lastOf(messages)
  const heard = messages.findLast(({ direction }) => direction === 'in')
  return {
    ...{ phone, name, archived, unread, tags: [], control: 'bot', assignee: null },
    lastMessage: last
      ? { text: last.text, type: last.type, at: last.at, direction: last.direction, status: last.status }
      : null,
    windowClosesAt: heard ? new Date(Date.parse(heard.at) + dayMs).toISOString() : null,
  }
}

const pageOf = <T>(all: readonly T[], query: URLSearchParams, pageSize: number) => {
  const page = Number(query.get('page') ?? 1)
  const items = all.slice((page - 1) * pageSize, page * pageSize)
  return { items, page, pageSize, hasMore: all.length > page * pageSize }
}

const chosen = ({ book, query }: Asked) => {
  const words = query.get('search')?.toLowerCase() ?? ''
  const archived = query.get('archived') === 'true'
  return [...book.conversations.values()]
    .filter(
      one =>
        one.archived === archived &&
        `${one.phone} ${one.name} ${one.messages.map(m => m.text).join(' ')}`.toLowerCase().includes(words),
    )
    .sort((a, b) => ((lastOf(a.messages)?.at ?? '') < (lastOf(b.messages)?.at ?? '') ? 1 : -1))
}

const chatOf = ({ book }: Asked, phone: unknown) => {
  const found = book.conversations.get(String(phone))
  if (!found) throw new Refusal(404, 'No existe esa conversación')
  return found
}

const send = (asked: Asked): Message => {
  const { message = '', numberTel, type = 'text', name } = asked.body
  const scopes = asked.claims.scopes as string[]
  if (!scopes.includes('chat:reply')) throw new Refusal(403, 'chat:reply')
  const chat = chatOf(asked, numberTel)
  const id = `m${chat.messages.length + 1}-${chat.phone}`
  const sent: Message = {
    ...{
      id,
      wamid: `wamid.${id}`,
      direction: 'out',
      type: String(type),
      text: String(message),
      at: new Date().toISOString(),
      status: 'sent',
    },
    ...(name ? { media: { url: `/files/${id}`, mime: 'text/plain', name: String(name), size: 5 } } : {}),
  }
  chat.messages.push(sent)
  return sent
}

const template = ({ book }: Asked, id: unknown) => {
  const found = book.templates.get(String(id)) ?? [...book.templates.values()].find(one => one.name === id)
  if (!found) throw new Refusal(404, 'No existe esa plantilla')
  return found
}

const saveTemplate = ({ book, body, params }: Asked) => {
  const draft = (typeof body.template === 'string' ? JSON.parse(body.template) : body.template) as Record<
    string,
    unknown
  >
  const id = params[0] ?? String(book.templates.size + 1)
  const saved = { ...book.templates.get(id), ...draft, id, status: 'PENDING', updatedAt: new Date().toISOString() }
  book.templates.set(id, saved)
  return saved
}

const routes: readonly [call: string, answer: Answer, status?: number][] = [
  ['GET /verify/waba', () => ({ phone: '5491150000000', verifiedName: 'Panadería Don Luis' })],
  ['POST /verify/auth', ({ body }) => ({ phone: body.number })],
  ['POST /whatsapp/number', ({ body }) => ({ phone: body.phone, nameWaba: body.nameWaba }), 201],
  ['PUT /whatsapp/namewaba', ({ body }) => ({ phone: body.phone, name: body.name })],
  ['GET /whatsapp/conversations', asked => pageOf(chosen(asked).map(present), asked.query, conversationsPerPage)],
  ['GET /whatsapp/all-conversations', asked => chosen(asked).map(present)],
  ['GET /whatsapp/chat-name/:phone', asked => ({ phone: asked.params[0], name: chatOf(asked, asked.params[0]).name })],
  [
    'GET /whatsapp/chats/:phone',
    asked => {
      const page = pageOf(chatOf(asked, asked.params[0]).messages.toReversed(), asked.query, messagesPerPage)
      return { ...page, items: page.items.toReversed() }
    },
  ],
  ['POST /whatsapp/messages', send, 202],
  [
    'POST /whatsapp/chat/archive',
    asked => {
      chatOf(asked, asked.body.phoneNumber).archived = asked.body.archived !== false
      return { success: true }
    },
  ],
  ['GET /whatsapp/template', ({ book, query }) => pageOf([...book.templates.values()], query, conversationsPerPage)],
  ['GET /whatsapp/template/name/:name', asked => template(asked, asked.params[0])],
  ['GET /whatsapp/template/:id', asked => template(asked, asked.params[0])],
  ['POST /whatsapp/template', saveTemplate, 201],
  ['PUT /whatsapp/template/:id', saveTemplate],
  [
    'DELETE /whatsapp/template/:id/:name',
    asked => {
      const { id, language } = template(asked, asked.params[0])
      asked.book.templates.delete(String(id))
      return { removed: [{ id, language }] }
    },
  ],
  [
    'POST /whatsapp/messages_template',
    ({ body }) => ({ id: '0mbh3k2v9x000000000000q1', planned: (body.phones as []).length, state: 'running' }),
    202,
  ],
]

const matchers = routes.map(([call, answer, status = 200]) => {
  const [method, path = ''] = call.split(' ')
  return { method, path, answer, status, pattern: new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`) }
})

const read = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  if (!bytes.length) return {}
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/')) return JSON.parse(bytes.toString()) as Record<string, unknown>
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  return Object.fromEntries([...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]))
}

export interface ProductApi {
  /** The value of `PRODUCT_API_URL`. */
  readonly url: string
  /** The data of an organization, created on the first call. */
  bookOf(org: string): Book
  /** Emits an event. It is kept, so that a client that was disconnected gets it later. */
  emit(org: string, event: string, data: object): void
  /** Calls that it answers with 404, such as `GET /whatsapp/template`. */
  readonly missing: Set<string>
  readonly asked: { readonly call: string; readonly claims: JWTPayload; readonly headers: IncomingMessage['headers'] }[]
  readonly server: Server
}

/** Starts the example on a free port. `recadoUrl`: where Recado serves its key set, known once it listens. */
export async function startProductApi({
  port = 0,
  recadoUrl,
}: {
  port?: number
  recadoUrl: () => string
}): Promise<ProductApi> {
  const books = new Map<string, Book>()
  const missing = new Set<string>()
  const events: string[] = []
  const streams = new Set<ServerResponse>()
  const asked: ProductApi['asked'] = []
  const bookOf = (org: string) => {
    const book = books.get(org) ?? { conversations: new Map(), templates: new Map() }
    books.set(org, book)
    return book
  }
  const emit: ProductApi['emit'] = (org, event, data) => {
    events.push(`id: ${events.length + 1}\ndata: ${JSON.stringify({ event, data, org })}\n\n`)
    for (const stream of streams) stream.write(events.at(-1))
  }
  const stream = (request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).write(':\n\n')
    for (const one of events.slice(Number(request.headers['last-event-id'] ?? 0))) response.write(one)
    streams.add(response)
    const beat = setInterval(() => response.write(':\n\n'), 20_000).unref()
    response.on('close', () => {
      clearInterval(beat)
      streams.delete(response)
    })
  }
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined
  let url = ''

  const claimsOf = async ({ headers }: IncomingMessage): Promise<JWTPayload> => {
    keys ??= createRemoteJWKSet(new URL('/.well-known/jwks.json', recadoUrl()))
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
    const { payload } = await jwtVerify(token, keys, { audience: url, clockTolerance: 60 }).catch(() => {
      throw new Refusal(401, 'La firma no vale')
    })
    return payload
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const claims = await claimsOf(request)
    if (pathname === '/sse' && (claims.scopes as string[]).includes('events:read')) return stream(request, response)
    if (pathname === '/capabilities')
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ calls: routes.map(([call]) => call).filter(call => !missing.has(call)) }))
    asked.push({ call: `${request.method} ${pathname}`, claims, headers: request.headers })
    if (pathname.startsWith('/files/')) return response.writeHead(200, { 'content-type': 'text/plain' }).end('hola\n')
    const found = matchers.find(one => one.method === request.method && one.pattern.test(pathname))
    if (!found || missing.has(`${found.method} ${found.path}`)) throw new Refusal(501, 'No se ofrece')
    const params = (found.pattern.exec(pathname) ?? []).slice(1).map(decodeURIComponent)
    const body = await read(request)
    const said = found.answer({ book: bookOf(String(claims.org)), claims, params, query: searchParams, body })
    return response.writeHead(found.status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(error => {
      const status = error instanceof Refusal ? error.status : 500
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message: error.message }))
    })
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, bookOf, emit, missing, asked, server }
}

if (process.argv[1] === import.meta.filename) {
  const { url } = await startProductApi({
    port: Number(process.env.PORT ?? 4000),
    recadoUrl: () => process.env.RECADO_URL ?? 'http://localhost:3000',
  })
  console.log(`PRODUCT_API_URL=${url} OUTBOUND_ALLOW=127.0.0.1`)
}
