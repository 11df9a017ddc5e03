/**
 * A product API that only streams events, of a file that somebody appends to: one JSON a line. Killed and started again
 * it goes on where its reader says. `node test/crash/upstream-stub.ts PORT FILE`
 */
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'

const [port, file = ''] = process.argv.slice(2)
const lookMs = 5

const readEvents = (): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1)

/** How many events each reader got. */
const readers = new Map<ServerResponse, number>()

createServer((request, response) => {
  if (request.url !== '/sse') return response.writeHead(501).end()
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
  readers.set(response, Number(request.headers['last-event-id'] ?? 0))
  response.on('close', () => readers.delete(response))
}).listen(Number(port), '127.0.0.1')

setInterval(() => {
  const events = readEvents()
  for (const [response, sent] of readers) {
    for (const [i, event] of events.slice(sent).entries()) response.write(`id: ${sent + i + 1}\ndata: ${event}\n\n`)
    readers.set(response, events.length)
  }
}, lookMs)
