import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { type Child, startChild } from './parts/child.ts'
import { takeLoadCore } from './parts/cores.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { fact, figure, option, report } from './parts/report.ts'
import { percentile, spreadOf } from './parts/samples.ts'
import { volley } from './parts/volley.ts'
import { signWebhooks } from './parts/webhooks.ts'

export const name = 'reply'
export const title = 'From the call of a person who replies to the begin of the request at the Graph side'

const customers = 50
const people = 4
const gapMs = 5

const nowMs = () => Number(process.hrtime.bigint()) / 1e6

/** Who has just written may be answered. */
const letCustomersWrite = async (server: Child, place: Installation) => {
  const hooks = signWebhooks(place, customers, 'reply', customers)
  await volley({
    port: server.port,
    connections: 8,
    count: customers,
    request: i => hooks[i]?.request as Buffer,
    onAnswer: () => undefined,
  })
  const db = new Sqlite(place.databasePath, { readonly: true })
  const received = db.prepare("select count(*) from message where direction = 'in'").pluck()
  while (received.get() !== customers) await pause(20)
  db.close()
}

/** One reply, as the composer sends it. */
const send = async (server: Child, cookie: string, customer: number, message: string): Promise<number> => {
  const at = nowMs()
  const response = await fetch(`http://127.0.0.1:${server.port}/api/whatsapp/messages`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', origin: 'http://localhost' },
    body: JSON.stringify({
      type: 'text',
      message,
      numberTel: `54911${40_000_000 + customer}`,
      isHuman: true,
      clientKey: randomUUID(),
    }),
  })
  if (!response.ok) throw new Error(`A reply was refused with ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
  return at
}

/** Times from call to arrival of replies, one after another; those that have not come after a second are absent. */
const timesOf = async (server: Child, graph: Child, place: Installation, count: number): Promise<number[]> => {
  const sent = new Map<string, number>()
  for (let i = 0; i < count; i += 1) {
    const words = `Te lo preparamos para mañana (${randomUUID()})`
    sent.set(words, await send(server, place.cookies[i % people] as string, i % customers, words))
    await pause(gapMs)
  }
  await pause(1000)
  const arrivals = await graph.ask<[string, number][]>('arrivals')
  return arrivals.flatMap(([words, at]) => {
    const from = sent.get(words)
    return from === undefined ? [] : [at - from]
  })
}

export async function run(args: readonly string[]): Promise<boolean> {
  const rounds = option(args, 'rounds', 5)
  const perRound = option(args, 'count', 400)
  const place = await openInstallation({ conversations: 0, messages: 0, people })
  takeLoadCore()
  const graph = await startChild('test/bench/peers/graph.ts')
  const server = await startChild('server/main.ts', { env: { ...place.env, GRAPH_URL: graph.url } })
  try {
    await letCustomersWrite(server, place)
    await timesOf(server, graph, place, 200)
    const times: number[][] = []
    for (let i = 0; i < rounds; i += 1) times.push(await timesOf(server, graph, place, perRound))
    const came = times.reduce((sum, some) => sum + some.length, 0)
    const share = (part: number) => spreadOf(times.map(some => percentile(some, part)))
    return report(args, [
      figure('call → Graph, p50', share(0.5), 'ms'),
      figure('call → Graph, p99', share(0.99), 'ms'),
      fact('replies that came', `${came} of ${rounds * perRound}`, came === rounds * perRound),
    ])
  } finally {
    await Promise.all([server.stop(), graph.stop()])
    place.remove()
  }
}
