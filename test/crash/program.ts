import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** On a busy machine; a restarted server also has to start first. */
const settleMs = 120_000

/** A program that is told of received messages by an outgoing webhook, while the server is killed. */
export class Program {
  readonly #server: Server
  /** The ids of deliveries, by the message they tell of. */
  readonly #heard = new Map<string, Set<string>>()
  constructor() {
    this.#server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      const wamid = JSON.parse(body).data.message.wamid as string
      const ids = this.#heard.get(wamid) ?? new Set()
      this.#heard.set(wamid, ids.add(String(request.headers['webhook-id'])))
      response.writeHead(204).end()
    })
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  /** Waits until it was told of all of these, and returns what is missing or was told as two deliveries. */
  async faultsOf(wamids: ReadonlySet<string>): Promise<string[]> {
    const until = Date.now() + settleMs
    while ([...wamids].some(wamid => !this.#heard.has(wamid)) && Date.now() < until) await sleep(100)
    return [...wamids].flatMap(wamid => {
      const count = this.#heard.get(wamid)?.size ?? 0
      return count === 1 ? [] : [`${wamid} came with ${count} deliveries`]
    })
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
