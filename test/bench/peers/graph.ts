/**
 * A Cloud API that takes every message and remembers when it came; asked for `arrivals` it tells them by their texts. Asked to
 * `hold` it takes nothing until it is asked to `go on`.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { answer } from '../parts/child.ts'

const arrivals = new Map<string, number>()
let messages = 0
let going = Promise.withResolvers<void>()
going.resolve()
const server = createServer(async (request, response) => {
  // Of the machine and not of this process: the benchmark compares it with its own.
  const at = Number(process.hrtime.bigint()) / 1e6
  const body = await text(request)
  await going.promise
  const call = /\/messages(\?|$)/.test(request.url ?? '') ? (JSON.parse(body) as { text?: { body: string } }) : {}
  if (call.text) arrivals.set(call.text.body, at)
  messages += 1
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ messages: [{ id: `wamid.reply${messages}` }], data: [] }))
})

answer('arrivals', () => {
  const all = [...arrivals]
  arrivals.clear()
  return all
})

answer('hold', () => {
  going = Promise.withResolvers<void>()
})
answer('go on', () => going.resolve())

server.listen(0, '127.0.0.1', () => console.log(`ready: http://127.0.0.1:${(server.address() as AddressInfo).port}`))
