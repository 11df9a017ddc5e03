import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from './parts/child.ts'
import { takeLoadCore } from './parts/cores.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { bound, fact, figure, type Line, option, report } from './parts/report.ts'
import { percentile, spreadOf } from './parts/samples.ts'
import { volley } from './parts/volley.ts'
import { signWebhooks } from './parts/webhooks.ts'

export const name = 'programs'
export const title = 'Outgoing webhooks: 500 deliveries a second to 20 programs of which 2 hang'

const programs = 20
const hanging = 2
/** Each goes to all programs. */
const messagesPerSecond = 25

/** Receives deliveries. Paths of programs that hang are never answered. */
const receive = async () => {
  /** When each program heard of each message, on this process's clock. */
  const heard = new Map<string, number>()
  const stuck = new Set<ServerResponse>()
  let answersSlowly = 0
  const server = createServer(async (request, response) => {
    const at = performance.now()
    const body = Buffer.concat(await request.toArray()).toString()
    const wamid = /"wamid":"([^"]+)"/.exec(body)?.[1]
    const path = request.url ?? ''
    if (path.startsWith('/hangs')) {
      stuck.add(response)
      answersSlowly += 1
      return
    }
    heard.set(`${path} ${wamid}`, at)
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    hung: () => answersSlowly,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const settleMs = 30_000
/** Waits until nothing is delivered for two seconds. */
const quiet = async (heard: ReadonlyMap<string, number>): Promise<void> => {
  const until = performance.now() + settleMs
  for (let before = -1; before < heard.size && performance.now() < until; ) {
    before = heard.size
    await pause(2_000)
  }
}

const addPrograms = async (place: Installation, url: string, receiver: string) => {
  for (let i = 0; i < programs; i += 1) {
    const path = i < hanging ? `hangs-${i}` : `program-${i}`
    const response = await fetch(`${url}/api/whatsapp/outgoing-webhooks`, {
      method: 'POST',
      headers: {
        ...{ cookie: place.cookies[0] as string, 'content-type': 'application/json' },
        'x-organization': place.org.slug,
      },
      body: JSON.stringify({ name: path, url: `${receiver}/${path}`, events: ['message.received'] }),
    })
    if (response.status !== 201) throw new Error(`A webhook was refused: ${await response.text()}`)
  }
}

export async function run(args: readonly string[]): Promise<boolean> {
  const seconds = option(args, 'seconds', 20)
  const place = await openInstallation({ conversations: 0, messages: 0 })
  takeLoadCore()
  const receiver = await receive()
  const child = await startChild('server/main.ts', { env: { ...place.env, OUTBOUND_ALLOW: '127.0.0.1' } })
  const send = async (mark: string, count: number) => {
    const hooks = signWebhooks(place, count, mark)
    const before = await child.read()
    const outcome = await volley({
      ...{ port: child.port, connections: 16, count, rate: messagesPerSecond },
      request: i => hooks[i]?.request as Buffer,
    })
    if (outcome.faults) throw new Error(`${outcome.faults} webhooks failed`)
    await quiet(receiver.heard)
    return { hooks, outcome, cpu: ((await child.read()).cpu - before.cpu) / count }
  }
  try {
    const count = seconds * messagesPerSecond
    await send('warm', 200)
    const alone = await send('alone', count)
    await addPrograms(place, child.url, receiver.url)
    await send('heat', 100)
    const { hooks, outcome, cpu } = await send('heard', count)
    const delays: number[] = []
    let missing = 0
    for (const [i, { wamid }] of hooks.entries())
      for (let n = hanging; n < programs; n += 1) {
        const at = receiver.heard.get(`/program-${n} ${wamid}`)
        if (at === undefined) missing += 1
        else delays.push(at - (outcome.due[i] as number))
      }
    const lines: Line[] = [
      bound('message received → program, healthy ones, p99', percentile(delays, 0.99), 'ms', 300),
      figure('the same, p50', spreadOf([percentile(delays, 0.5)]), 'ms'),
      fact('deliveries to healthy ones', `${delays.length}, ${missing} missing`, missing === 0),
      figure('calls that hung meanwhile', spreadOf([receiver.hung()]), ''),
      figure('processor time of an inbound message, nobody listens', spreadOf([alone.cpu]), 'µs'),
      figure(`the same with ${programs} programs, for each delivery`, spreadOf([(cpu - alone.cpu) / programs]), 'µs'),
    ]
    return report(args, lines, [`${count} messages at ${messagesPerSecond} a second`])
  } finally {
    await child.stop()
    receiver.close()
    place.remove()
  }
}
