import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { buildKeywords, readKeywords, runBlocking } from '#server/features/flows/step/keywords.ts'
import { chooseFlow, type FlowTrigger, type Occasion, rankTriggers } from '#shared/flows/triggers/triggers.ts'
import { readSum, root, runProgram } from '#test/stages/stage.ts'
import { type Child, metered, startChild } from './parts/child.ts'
import { leaveLoadCore, takeLoadCore } from './parts/cores.ts'
import { measureEditor } from './parts/flow-editor.ts'
import { measureReplay } from './parts/flow-replay.ts'
import { callAs, fillSessions } from './parts/flow-sessions.ts'
import { measureWaits } from './parts/flow-waits.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { bound, fact, figure, type Line, option, report } from './parts/report.ts'
import { percentile, spreadOf } from './parts/samples.ts'
import { type Outcome, volley } from './parts/volley.ts'
import { type SignedWebhook, signWebhooks } from './parts/webhooks.ts'

export const name = 'flows'
export const title =
  'Flows: which one begins, from a webhook to the next step’s message, waits, the editor, a replay, and killed over and over'

const customers = 500
const warmUp = 3 * customers

/** Published flows with `each` triggers, a fifth of them patterns. */
const triggered = (flows: number, each: number) =>
  Array.from({ length: flows }, (_, flow) => ({
    flowId: `f${flow}`,
    triggers: Array.from({ length: each }, (_, i): FlowTrigger => {
      const words = [`palabra${flow}x${i}`, `otra cosa ${flow} ${i}`]
      return i % 5
        ? { id: `t${i}`, kind: 'keyword', match: i % 2 ? 'contains' : 'equals', words }
        : { id: `t${i}`, kind: 'keyword', match: 'pattern', words: [`pedido (n[uú]mero )?[0-9]+${flow}x${i}`] }
    }),
  }))

const chooses = (): Line[] => {
  const flows = triggered(25, 20)
  const ranked = rankTriggers(flows)
  const keywords = runBlocking(buildKeywords(flows))
  // Warm-up: patterns are compiled with the first messages.
  const times = Array.from({ length: 4000 }, (_, i) => {
    const text = `Hola, quería saber del pedido número ${i} que hice la semana pasada, ¿me dicen cómo viene?`
    const occasion: Occasion = {
      ...{ what: { kind: 'message', text, tappedId: null }, isOpen: true, isFirst: false, wasArchived: false },
      ...{ silentHours: 1, tagIds: [], flowsBefore: [] },
    }
    const from = performance.now()
    chooseFlow(ranked, occasion, runBlocking(readKeywords(keywords, text)))
    return performance.now() - from
  })
  return [bound('choice among 500 triggers, 100 of them patterns, p99', percentile(times.slice(2000), 0.99), 'ms', 1)]
}

/** A flow that asks again after every message. */
const asksOn = {
  name: 'Pregunta y vuelve a preguntar',
  triggers: [{ id: 't', kind: 'default' }],
  graph: {
    nodes: [
      { id: 's', type: 'start' },
      { id: 'q', type: 'question', data: { text: 'Anotado: {{ultimo_mensaje}}', variable: 'dijo', ends: ['invalid'] } },
      { id: 'g', type: 'goto', data: { nodeId: 'q' } },
    ],
    edges: [
      { source: 's', target: 'q' },
      { source: 'q', target: 'g' },
    ],
  },
}

const write = (server: Child, hooks: readonly SignedWebhook[], rate: number): Promise<Outcome> =>
  volley({
    ...{ port: server.port, connections: 16, count: hooks.length, rate },
    request: i => hooks[i]?.request as Buffer,
    onAnswer: () => undefined,
  })

/** Waits until `count` messages meet the condition. */
const waitFor = async ({ databasePath }: Installation, condition: string, count: number): Promise<void> => {
  const db = new Sqlite(databasePath, { readonly: true })
  const there = db.prepare(`select count(*) from message where ${condition}`).pluck()
  const until = Date.now() + 120_000
  while ((there.get() as number) < count && Date.now() < until) await pause(50)
  db.close()
}

/** The ms from when each webhook was due to when its answer was queued. */
const answeredIn = ({ databasePath }: Installation, { due }: Outcome): number[] => {
  const db = new Sqlite(databasePath, { readonly: true })
  const rows = db
    .prepare(`select text, at from message where author_kind = 'bot' order by seq limit -1 offset ?`)
    .all(warmUp) as {
    text: string
    at: string
  }[]
  db.close()
  return rows.flatMap(({ text, at }) => {
    const i = /\((\d+)\)$/.exec(text)?.[1]
    const from = i === undefined ? undefined : due[Number(i)]
    return from === undefined ? [] : [Math.max(0, Date.parse(at) - performance.timeOrigin - from)]
  })
}

/** The time from a webhook to the next step's message, with many sessions under way. */
const measureEngine = async (
  place: Installation,
  env: Record<string, string>,
  graph: Child,
  args: readonly string[],
) => {
  const live = option(args, 'sessions', 50_000)
  const count = option(args, 'count', 4000)
  const rate = option(args, 'rate', 200)
  let server = await startChild('server/main.ts', { env })
  /** Sends messages and waits until `until` more messages meet the condition. */
  const round = (word: string, condition: string, until: number) =>
    metered(server, async () => {
      const outcome = await write(server, signWebhooks(place, count, word, customers), rate)
      await waitFor(place, condition, until)
      return { ...outcome, requests: count }
    })
  try {
    const { id } = await callAs<{ id: string }>(server, place, '/whatsapp/flows', asksOn)
    await write(server, signWebhooks(place, customers, 'first', customers), rate)
    await waitFor(place, `wamid like '%first%'`, customers)
    const plain = await round('plain', `wamid like '%plain%'`, count)
    await callAs(server, place, `/whatsapp/flows/${id}/publish`, {})
    await server.stop()
    const inIt = fillSessions(place, { flowId: id, nodeId: 'q', count: live + customers })
    server = await startChild('server/main.ts', { env })
    // Warm-up: a new server fills its caches and frees the memory of its start.
    await write(server, signWebhooks(place, warmUp, 'warm', customers), rate)
    const bots = `author_kind = 'bot'`
    await waitFor(place, `${bots} and wamid is not null`, warmUp)
    const flowing = await round('flows', bots, warmUp + count)
    const times = answeredIn(place, flowing)
    await waitFor(place, `${bots} and wamid is not null`, warmUp + count)
    // Nothing is sent meanwhile, because the cost of sending must not count.
    await graph.ask('hold')
    const queued = await round('queued', bots, warmUp + 2 * count)
    await graph.ask('go on')
    return [
      bound(
        `webhook → next step’s message, ${inIt} in a flow, ${rate} a second, p99`,
        percentile(times, 0.99),
        'ms',
        60,
      ),
      figure('the same, median', spreadOf([percentile(times, 0.5)]), 'ms'),
      bound(
        'processor time of a message with its answer in the outbox, to one without a flow',
        queued.cpuEach / plain.cpuEach,
        '×',
        2,
      ),
      figure('the same with the answer’s way to the Graph side', spreadOf([flowing.cpuEach / plain.cpuEach]), '×'),
      fact('messages that were answered', `${times.length} of ${count}`, times.length === count),
    ]
  } finally {
    await graph.ask('go on')
    await server.stop()
  }
}

/** Kills the process repeatedly. The program prints its own lines and compares its rows. */
const measureKills = async (args: readonly string[]): Promise<Line[]> => {
  const [sessions, kills] = [option(args, 'killed', 2000), option(args, 'kills', 30)]
  if (!kills) return []
  const killed = ['--only', 'flows', '--rounds', '1', '--sessions', String(sessions), '--kills', String(kills)]
  const sum = readSum(await runProgram(process.execPath, [`${root}test/crash/run.ts`, ...killed], { show: true }))
  return [fact(`killed ${kills} times under ${sessions} sessions`, `${sum.failed} claims failed`, !sum.failed)]
}

/** Each part has an installation of its own. */
const parts = ['choice', 'engine', 'waits', 'editor', 'replay', 'killed'] as const

export async function run(args: readonly string[]): Promise<boolean> {
  const live = option(args, 'sessions', 50_000)
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined
  const wanted = parts.filter(part => only === undefined || part === only)
  if (!wanted.length) throw new Error(`--only is one of ${parts.join(', ')}, not ${only}`)
  const lines: Line[] = []
  takeLoadCore()
  const graph = await startChild('test/bench/peers/graph.ts')
  const inPlace = async (work: (place: Installation, env: Record<string, string>) => Promise<Line[]>) => {
    const place = await openInstallation({ conversations: live, messages: live })
    try {
      lines.push(...(await work(place, { ...place.env, GRAPH_URL: graph.url })))
    } finally {
      place.remove()
    }
  }
  try {
    for (const part of wanted) {
      if (part === 'choice') lines.push(...chooses())
      if (part === 'engine') await inPlace((place, env) => measureEngine(place, env, graph, args))
      if (part === 'waits') await inPlace((place, env) => measureWaits(place, env, option(args, 'waits', 20_000)))
      if (part === 'editor') {
        leaveLoadCore()
        await inPlace((place, env) => measureEditor(place, env, option(args, 'nodes', 500), option(args, 'rounds', 3)))
        takeLoadCore()
      }
      if (part === 'replay')
        await inPlace((place, env) => measureReplay(place, env, asksOn, option(args, 'replayed', 1000)))
    }
  } finally {
    await graph.stop()
  }
  if (wanted.includes('killed')) lines.push(...(await measureKills(args)))
  return report(args, lines, [`parts, each alone with --only: ${parts.join(', ')}`])
}
