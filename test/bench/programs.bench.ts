import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from './parts/child.ts'
import { takeLoadCore } from './parts/cores.ts'
import { addOrganizations, type Installation, openInstallation } from './parts/installation.ts'
import { bound, fact, figure, type Line, option, report } from './parts/report.ts'
import { percentile, spreadOf } from './parts/samples.ts'
import { volley } from './parts/volley.ts'
import { type SignedWebhook, signWebhooks } from './parts/webhooks.ts'

export const name = 'programs'
export const title = 'Outgoing webhooks: 500 deliveries a second to 50 programs of which 5 hang'

/** One has twenty at most. */
const organizations = [
  { programs: 17, hanging: 2 },
  { programs: 17, hanging: 2 },
  { programs: 16, hanging: 1 },
]
const programs = organizations.reduce((sum, one) => sum + one.programs, 0)
/** Each goes to all programs of its organization; the organizations take turns. */
const messagesPerSecond = 30
const programsOfMessage = programs / organizations.length

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

type Org = Pick<Installation, 'org' | 'cookies' | 'connection'>

/** The paths of an organization's programs. */
const pathsOf = (org: number): string[] => {
  const { programs, hanging } = organizations[org] as (typeof organizations)[number]
  return Array.from({ length: programs }, (_, i) => `${i < hanging ? 'hangs' : 'program'}-${org}-${i}`)
}
const isHealthy = (path: string) => !path.startsWith('hangs')

const addPrograms = async (
  place: Org,
  paths: readonly string[],
  { url, receiver }: { url: string; receiver: string },
) => {
  for (const path of paths) {
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
  const orgs: Org[] = [place, ...(await addOrganizations(place, organizations.length - 1))]
  takeLoadCore()
  const receiver = await receive()
  const child = await startChild('server/main.ts', { env: { ...place.env, OUTBOUND_ALLOW: '127.0.0.1' } })
  const send = async (mark: string, count: number) => {
    const own = orgs.map((org, i) => signWebhooks(org, Math.ceil(count / orgs.length), `${mark}${i}`))
    const hooks = Array.from({ length: count }, (_, i) => {
      const org = i % orgs.length
      return { org, ...(own[org]?.[Math.floor(i / orgs.length)] as SignedWebhook) }
    })
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
    for (const [i, org] of orgs.entries())
      await addPrograms(org, pathsOf(i), { url: child.url, receiver: receiver.url })
    await send('heat', 100)
    const { hooks, outcome, cpu } = await send('heard', count)
    const delays: number[] = []
    let missing = 0
    for (const [i, { wamid, org }] of hooks.entries())
      for (const path of pathsOf(org).filter(isHealthy)) {
        const at = receiver.heard.get(`/${path} ${wamid}`)
        if (at === undefined) missing += 1
        else delays.push(at - (outcome.due[i] as number))
      }
    const lines: Line[] = [
      bound('message received → program, healthy ones, p99', percentile(delays, 0.99), 'ms', 300),
      figure('the same, p50', spreadOf([percentile(delays, 0.5)]), 'ms'),
      fact('deliveries to healthy ones', `${delays.length}, ${missing} missing`, missing === 0),
      figure('calls that hung meanwhile', spreadOf([receiver.hung()]), ''),
      figure('processor time of an inbound message, nobody listens', spreadOf([alone.cpu]), 'µs'),
      figure(
        `the same with ${programs} programs, for each delivery`,
        spreadOf([(cpu - alone.cpu) / programsOfMessage]),
        'µs',
      ),
    ]
    return report(args, lines, [`${count} messages at ${messagesPerSecond} a second`])
  } finally {
    await child.stop()
    receiver.close()
    place.remove()
  }
}
