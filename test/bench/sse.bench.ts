import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bell } from './parts/bell.ts'
import { type Child, startChild } from './parts/child.ts'
import { cores, takeLoadCore } from './parts/cores.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { openReaders, type Readers } from './parts/readers.ts'
import { bound, fact, figure, type Line, option, ratio, report } from './parts/report.ts'
import { interleave, percentile, ratioOf, spreadOf } from './parts/samples.ts'

export const name = 'sse'
export const title = 'Live events to many readers beside better-sse: processor time and memory'

/** A text message's event is about half a kilobyte. */
const padding = 120
const streamsPerPerson = 20

type Both<T> = Record<'subject' | 'peer', T>

const startBoth = async (place: Installation): Promise<Both<Child>> => ({
  subject: await startChild('test/bench/subjects/live.ts', {
    env: place.env,
    args: [place.org.id],
    flags: ['--expose-gc'],
  }),
  peer: await startChild('test/bench/peers/sse.ts', { flags: ['--expose-gc'] }),
})

interface Round {
  readonly cpuEach: number
  readonly p99: number
  readonly delivered: number
  readonly expected: number
  readonly gaps: number
}

const total = (readers: Readers, pick: 'events' | 'gaps') => readers.list.reduce((sum, reader) => sum + reader[pick], 0)

/** Rings the bell and waits until everybody has everything; only then is the processor time read. */
const ringFor = async (child: Child, readers: Readers, bell: Bell): Promise<Round> => {
  const [events, gaps] = [total(readers, 'events'), total(readers, 'gaps')]
  for (const reader of readers.list) Object.assign(reader, { delays: [], lastId: -1 })
  const before = await child.read()
  const made = await child.ask<number>('ring', bell)
  const expected = made * readers.list.length
  for (let waited = 0; total(readers, 'events') - events < expected && waited < 5000; waited += 50) await pause(50)
  const after = await child.read()
  const delivered = total(readers, 'events') - events
  return {
    cpuEach: (after.cpu - before.cpu) / delivered,
    p99: percentile(
      readers.list.flatMap(reader => reader.delays),
      0.99,
    ),
    delivered,
    expected,
    gaps: total(readers, 'gaps') - gaps,
  }
}

const openOn = (child: Child, count: number, cookies: readonly string[]) =>
  openReaders({ port: child.port, count, cookies, timesFrom: () => true })

const crowd = async (
  place: Installation,
  clients: number,
  perSecond: number,
  rounds: number,
  seconds: number,
): Promise<Line[]> => {
  const few = streamsPerPerson * 2
  const children = await startBoth(place)
  try {
    const names = ['subject', 'peer'] as const
    const bell = { perSecond, seconds, padding }
    const resident = {} as Both<number>
    const readers = {} as Both<Readers>
    for (const who of names) {
      const child = children[who]
      const first = await openOn(child, few, place.cookies.slice(0, 2))
      await ringFor(child, first, { perSecond: 200, seconds: 2, padding })
      first.close()
      await pause(300)
      const before = (await child.settle()).resident
      readers[who] = await openOn(child, clients, place.cookies)
      await ringFor(child, readers[who], { perSecond, seconds: 1, padding })
      resident[who] = ((await child.settle()).resident - before) / clients / 1024
    }
    const results = await interleave(rounds, {
      subject: () => ringFor(children.subject, readers.subject, bell),
      peer: () => ringFor(children.peer, readers.peer, bell),
    })
    for (const who of names) readers[who].close()
    const of = (who: (typeof names)[number], pick: keyof Round) => results[who].map(round => round[pick])
    const all = [...results.subject, ...results.peer]
    const sum = (pick: keyof Round) => all.reduce((amount, round) => amount + round[pick], 0)
    const size = `${clients} × ${perSecond}/s`
    return [
      figure(`${size}: recado, processor time per delivery`, spreadOf(of('subject', 'cpuEach')), 'µs'),
      figure(`${size}: better-sse`, spreadOf(of('peer', 'cpuEach')), 'µs'),
      ratio(`${size}: times less`, ratioOf(of('peer', 'cpuEach'), of('subject', 'cpuEach')), 1.5),
      bound(`${size}: resident per client`, resident.subject, 'KB', 20),
      figure(`${size}: better-sse, resident per client`, spreadOf([resident.peer]), 'KB'),
      figure(`${size}: recado, made → read p99`, spreadOf(of('subject', 'p99')), 'ms'),
      figure(`${size}: better-sse, made → read p99`, spreadOf(of('peer', 'p99')), 'ms'),
      fact(
        `${size}: everybody had everything once, in order`,
        `${sum('delivered')} of ${sum('expected')}, ${sum('gaps')} gaps`,
        sum('delivered') === sum('expected') && sum('gaps') === 0,
      ),
    ]
  } finally {
    await Promise.all([children.subject.stop(), children.peer.stop()])
  }
}

/** What the network's buffers of this machine take of a reader that takes nothing. */
const kernelBytes = (): number => {
  const limits = '/proc/sys/net/ipv4/tcp_wmem'
  return existsSync(limits) ? Number(readFileSync(limits, 'utf8').trim().split(/\s+/)[2]) : 4 * 1024 * 1024
}
/** An event that is only for filling. */
const fillBytes = 64_000

/**
 * Every tenth reader takes nothing at all. Before a round, events for them alone fill the network's buffers almost to
 * the brim, so that in the round they weigh on the server itself, until it cuts them.
 */
const stalled = async (place: Installation): Promise<Line[]> => {
  // Of a hundred events the slowest is the p99: one pause of the machine would decide a short round.
  const [rounds, seconds] = [5, 5]
  const [healthy, stuck] = [270, 30]
  const bell: Bell = { perSecond: 50, seconds, padding: 8000 }
  const child = await startChild('test/bench/subjects/live.ts', { env: place.env, args: [place.org.id] })
  const filling: Bell = {
    perSecond: 50,
    seconds: Math.round((kernelBytes() * 0.85) / fillBytes) / 50,
    padding: fillBytes,
    audience: place.userIds.slice(20, 25),
  }
  try {
    const readers = await openOn(child, healthy, place.cookies.slice(0, 20))
    await ringFor(child, readers, bell)
    let [closed, held] = [0, 0]
    const results = await interleave(rounds, {
      alone: () => ringFor(child, readers, bell),
      among: async () => {
        const others = await openOn(child, stuck, place.cookies.slice(20, 25))
        for (const { socket } of others.list) socket.pause()
        await child.ask('ring', filling)
        held += (await child.ask<number>('streams')) - healthy
        const round = await ringFor(child, readers, bell)
        closed += healthy + stuck - (await child.ask<number>('streams'))
        others.close()
        await pause(200)
        return round
      },
    })
    readers.close()
    const p99 = (who: 'alone' | 'among') => results[who].map(round => round.p99)
    const isWhole = [...results.alone, ...results.among].every(
      round => round.gaps === 0 && round.delivered === round.expected,
    )
    return [
      figure(`${healthy} readers alone, p99`, spreadOf(p99('alone')), 'ms'),
      figure(`the same among ${stuck} that take nothing, p99`, spreadOf(p99('among')), 'ms'),
      ratio('p99 with 10 % stalled readers', ratioOf(p99('among'), p99('alone')), 1.2, false),
      fact(
        'stalled readers were there, were cut, and nobody else missed anything',
        `${held} there, ${closed} cut of ${stuck * rounds}`,
        held === stuck * rounds && closed === held && isWhole,
      ),
    ]
  } finally {
    await child.stop()
  }
}

export async function run(args: readonly string[]): Promise<boolean> {
  const [rounds, seconds] = [option(args, 'rounds', 3), option(args, 'seconds', 3)]
  const place = await openInstallation({ conversations: 0, messages: 0, people: 5000 / streamsPerPerson })
  takeLoadCore()
  try {
    const lines = [
      ...(await crowd(place, 1000, 50, rounds, seconds)),
      ...(await crowd(place, 5000, 8, rounds, seconds)),
      ...(await stalled(place)),
    ]
    return report(args, lines, [
      `${rounds} rounds of ${seconds} s each, events of ${padding} characters (stalled: 5 rounds of 5 s, 8,000 characters); ${cores}`,
    ])
  } finally {
    place.remove()
  }
}
