/** The wire of the simulated Cloud API, for a send to many: takes every message, remembers when it came and to whom. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { answer } from '../parts/child.ts'

const template = {
  id: '700100200300400',
  name: 'aviso',
  language: 'es_AR',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [
    {
      type: 'BODY',
      text: 'Hola {{1}}, mañana abrimos a las ocho en punto.',
      example: { body_text: [['Ana']] },
    },
  ],
}

let times: number[] = []
let receivers: string[] = []
let lastBody = ''
let messages = 0
const server = createServer(async (request, response) => {
  // Of the machine and not of this process: the benchmark compares it with its own.
  const at = Number(process.hrtime.bigint()) / 1e6
  const path = (request.url ?? '').split('?')[0] as string
  const body = await text(request)
  response.setHeader('content-type', 'application/json')
  if (!path.endsWith('/messages')) {
    const data = path.endsWith('/message_templates') ? [template] : []
    return response.end(JSON.stringify({ data }))
  }
  const { to } = JSON.parse(body) as { to: string }
  times.push(at)
  receivers.push(to)
  lastBody = body
  messages += 1
  response.end(
    JSON.stringify({
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id: `wamid.many${messages}` }],
    }),
  )
})
server.keepAliveTimeout = 60_000

answer('count', () => times.length)
answer('body', () => lastBody)
answer('taken', () => {
  const taken = { times, receivers }
  times = []
  receivers = []
  return taken
})

server.listen(0, '127.0.0.1', () => console.log(`ready: http://127.0.0.1:${(server.address() as AddressInfo).port}`))
