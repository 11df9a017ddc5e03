import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { type Child, startChild } from './parts/child.ts'
import { cores, takeLoadCore } from './parts/cores.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { openReaders } from './parts/readers.ts'
import { bound, fact, figure, type Line, option, ratio, report, written } from './parts/report.ts'
import { interleave, percentile, ratioOf, spreadOf } from './parts/samples.ts'
import { volley } from './parts/volley.ts'
import { signWebhooks } from './parts/webhooks.ts'

export const name = 'ingest'
export const title = 'Signed webhooks, one message each, on disk before the answer (synchronous=FULL)'

const connections = 64
const steadyRate = 1000

/** Compares the ids that were answered with 200 with the rows stored afterwards. */
const checkLedger = (
  path: string,
  acked: readonly string[],
): { lost: number; doubled: number; unapplied: number; rows: number } => {
  const db = new Sqlite(path, { readonly: true })
  try {
    const messages = new Map<string, number>()
    for (const wamid of db
      .prepare("select wamid from message where direction = 'in' and wamid is not null")
      .pluck()
      .iterate())
      messages.set(wamid as string, (messages.get(wamid as string) ?? 0) + 1)
    const journal = new Map<string, number>()
    for (const raw of db.prepare('select raw from webhook_journal').pluck().iterate()) {
      const wamid = /"id":"(wamid\.[^"]+)"/.exec((raw as Buffer).toString('utf8'))?.[1] as string
      journal.set(wamid, (journal.get(wamid) ?? 0) + 1)
    }
    return {
      rows: journal.size,
      lost: acked.filter(wamid => !journal.has(wamid) || !messages.has(wamid)).length,
      doubled: [...journal.values(), ...messages.values()].filter(count => count > 1).length,
      unapplied: db.prepare('select count(*) from webhook_journal where state <> 1').pluck().get() as number,
    }
  } finally {
    db.close()
  }
}

/** Waits until all stored webhooks are applied, so that a round's work does not slow the next one. */
const drained = async (path: string, withinMs: number): Promise<number> => {
  const db = new Sqlite(path, { readonly: true })
  const waiting = db.prepare('select count(*) from webhook_journal where state = 0').pluck()
  const begin = performance.now()
  try {
    while (waiting.get() !== 0) {
      if (performance.now() - begin > withinMs) throw new Error('Webhooks are still waiting to be derived')
      await pause(20)
    }
    return performance.now() - begin
  } finally {
    db.close()
  }
}

const steady = async (child: Child, place: Installation, acked: string[], seconds: number): Promise<Line[]> => {
  const count = seconds * steadyRate
  const hooks = signWebhooks(place, count, 'steady')
  const readers = await openReaders({
    port: child.port,
    cookies: place.cookies.slice(0, 1),
    count: 1,
    wants: 'wamid.HBgNNTQ5MTEsteady',
  })
  const outcome = await volley({
    port: child.port,
    connections,
    count,
    rate: steadyRate,
    request: i => hooks[i]?.request as Buffer,
    onAnswer: (i, status) => status === 200 && acked.push(hooks[i]?.wamid as string),
  })
  const drainMs = await drained(place.databasePath, 20_000)
  await pause(200)
  const [reader] = readers.list
  const delays = hooks.flatMap(({ wamid }, i) => {
    const at = reader?.seen.get(wamid)
    return at === undefined ? [] : [at - (outcome.due[i] as number)]
  })
  readers.close()
  return [
    bound(`answer p99 at ${steadyRate}/s`, percentile(outcome.last, 0.99), 'ms', 100),
    bound(`webhook → browser's event p99 at ${steadyRate}/s`, percentile(delays, 0.99), 'ms', 100),
    fact('events delivered', `${delays.length} of ${count}`, delays.length === count && outcome.faults === 0),
    figure('answer p50 / event p50', spreadOf([percentile(outcome.last, 0.5), percentile(delays, 0.5)]), 'ms'),
    figure('behind at the end of it', spreadOf([drainMs]), 'ms'),
  ]
}

export async function run(args: readonly string[]): Promise<boolean> {
  const rounds = option(args, 'rounds', 5)
  const perRound = option(args, 'count', 6000)
  const place = await openInstallation({ conversations: 0, messages: 0 })
  const paths = { single: join(place.dataDir, 'single.db'), group: join(place.dataDir, 'group.db') }
  for (const path of Object.values(paths)) copyFileSync(place.databasePath, path)
  takeLoadCore()
  const peer = (way: keyof typeof paths) =>
    startChild('test/bench/peers/ingest.ts', {
      args: [way, paths[way], place.connection.id, place.connection.appSecret],
    })
  const [subject, single, group] = await Promise.all([
    startChild('server/main.ts', { env: place.env }),
    peer('single'),
    peer('group'),
  ])
  try {
    const acked: string[] = []
    const shoot = (child: Child, mark: string, afterwards?: () => Promise<unknown>) => async (round: number) => {
      const hooks = signWebhooks(place, perRound, `${mark}${round}x`)
      const { seconds, faults } = await volley({
        port: child.port,
        connections,
        count: perRound,
        request: i => hooks[i]?.request as Buffer,
        onAnswer: (i, status) => status === 200 && mark === 'r' && acked.push(hooks[i]?.wamid as string),
      })
      if (faults) throw new Error(`${faults} of ${perRound} answers were no success: the round is void`)
      await afterwards?.()
      return perRound / seconds
    }
    const drain: number[] = []
    const contestants = {
      subject: shoot(subject, 'r', async () => drain.push(await drained(place.databasePath, 60_000))),
      single: shoot(single, 's'),
      group: shoot(group, 'g'),
    }
    for (const warmUp of Object.values(contestants)) await warmUp(99)
    drain.length = 0
    const rates = await interleave(rounds, contestants)
    const lines = [
      figure('recado', spreadOf(rates.subject), '/s'),
      figure('one commit per request', spreadOf(rates.single), '/s'),
      figure('bare group commit', spreadOf(rates.group), '/s'),
      ratio('to one commit per request', ratioOf(rates.subject, rates.single), 2.5),
      ratio('to bare group commit', ratioOf(rates.subject, rates.group), 0.35),
      figure('derived after the round', spreadOf(drain), 'ms'),
      ...(await steady(subject, place, acked, option(args, 'seconds', 8))),
    ]
    const { lost, doubled, unapplied, rows } = checkLedger(place.databasePath, acked)
    lines.push(
      fact(
        'ledger: each 200 once in journal and messages',
        `${written(acked.length)} answered, ${written(rows)} journaled, ${lost} lost, ${doubled} doubled, ${unapplied} open`,
        lost + doubled + unapplied === 0 && rows === acked.length,
      ),
    )
    return report(args, lines, [`${rounds} rounds of ${perRound} over ${connections} connections; ${cores}`])
  } finally {
    await Promise.all([subject.stop(), single.stop(), group.stop()])
    place.remove()
  }
}
