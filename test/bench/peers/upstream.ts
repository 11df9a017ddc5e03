/**
 * A product API that answers from memory, and a stream of events that the benchmark rings. It checks no token, because
 * only what stands in front of it is measured.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { answer } from '../parts/child.ts'

const [orgId] = process.argv.slice(2) as [string]
const customers = 200
const phoneOf = (n: number) => `54911700${String(10_000 + (n % customers))}`
const at = (ms: number) => new Date(ms).toISOString()
const began = Date.now() - 24 * 60 * 60 * 1000

const templates = Array.from({ length: 30 }, (_, i) => ({
  ...{
    id: String(i),
    name: `pedido_${i}`,
    language: 'es_AR',
    status: 'APPROVED',
    category: 'UTILITY',
    updatedAt: at(began),
  },
  components: [{ type: 'BODY', text: 'Hola {{1}}, tu pedido {{2}} está listo. Podés pasar a buscarlo hasta las 20.' }],
}))
const conversations = Array.from({ length: 30 }, (_, i) => ({
  ...{ phone: phoneOf(i), name: `Cliente ${i}`, unread: 0, archived: false, windowClosesAt: null },
  lastMessage: { text: `mensaje ${i}`, type: 'text', at: at(began - i * 60_000), direction: 'in', status: 'received' },
}))
const messages = Array.from({ length: 50 }, (_, i) => ({
  ...{ id: `m${i}`, direction: i % 3 ? 'in' : 'out', type: 'text', status: i % 3 ? 'received' : 'read' },
  ...{ text: `mensaje ${i} de un pedido de pan`, at: at(began + i * 60_000) },
}))
const media = { url: '/files/1', mime: 'application/pdf', name: 'factura.pdf', size: 48 * 1024 }
Object.assign(messages[0] as object, { type: 'document', media })
const file = Buffer.alloc(48 * 1024, 'x')
const listOf = (items: readonly object[]) => JSON.stringify({ items, page: 1, pageSize: items.length, hasMore: false })
const bodies: [path: string, body: string][] = [
  ['/whatsapp/template', listOf(templates)],
  ['/whatsapp/conversations', listOf(conversations)],
  ['/whatsapp/chats/', listOf(messages)],
  ['/whatsapp/chat-name/', JSON.stringify({ phone: phoneOf(0), name: 'Cliente 0' })],
  ['/verify/waba', JSON.stringify({ phone: '5491150000000', verifiedName: 'Panadería' })],
]

/** Milliseconds by path. */
let delays: Readonly<Record<string, number>> = {}
const streams = new Set<ServerResponse>()
let asked = 0

const server = createServer(async (request, response) => {
  const path = (request.url ?? '').split('?')[0] as string
  if (path === '/sse') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
    streams.add(response)
    response.on('close', () => streams.delete(response))
    return
  }
  if (path === '/files/1') {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': file.length })
    return void response.end(file)
  }
  const found = bodies.find(([known]) => path.startsWith(known))
  if (!found) return void response.writeHead(404).end()
  asked += 1
  const delayMs = delays[found[0]]
  if (delayMs) await pause(delayMs)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(found[1]) })
  response.end(found[1])
})

answer('delay', (facts: { delays: typeof delays }) => {
  delays = facts.delays
  return true
})
answer('asked', () => asked)
let made = 0
const eventOf = (n: number) => {
  const message = { id: `n${n}`, direction: 'in', type: 'text', text: `novedad ${n}`, at: at(Date.now()) }
  const data = { number: phoneOf(n), name: `Cliente ${n % customers}`, message }
  return `id: ${n}\ndata: ${JSON.stringify({ event: 'message', org: orgId, data })}\n\n`
}
answer('ring', async ({ perSecond, seconds }: { perSecond: number; seconds: number }) => {
  const [start, first] = [performance.now(), made]
  while (made - first < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((performance.now() - start) * perSecond) / 1000)
    let text = ''
    for (; made - first < due; made += 1) text += eventOf(made + 1)
    for (const stream of streams) if (text) stream.write(text)
    await pause(2)
  }
  return { made: made - first, last: made, streams: streams.size }
})
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () =>
  console.log(`ready: http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
