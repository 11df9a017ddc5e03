import { setTimeout as sleep } from 'node:timers/promises'
import type { Flow } from '#shared/flows/api.ts'
import type { FlowRun } from '#shared/flows/runs/runs.ts'
import { textWebhook } from '#test/helpers/webhooks.ts'
import type { Claim, World } from './round.ts'

export interface FlowLoad {
  readonly sessions: number
  readonly kills: number
}

const customersAtOnce = 16
const settleMs = 60_000
const answers = ['Ana', '3'] as const
/** The questions and answers of each customer, in order; the phone number makes them unique. */
const script = (phone: string) => [
  `${phone}: ¿nombre?`,
  `${phone}: ¿cuántas?`,
  `${phone}: 3 para Ana`,
  `${phone}: listo`,
]

const graphOf = (word: string) => ({
  name: `Caídas ${word}`,
  triggers: [{ id: 't', kind: 'keyword', match: 'equals', words: [word] }],
  graph: {
    nodes: [
      { id: 's', type: 'start' },
      {
        id: 'q',
        type: 'question',
        data: { text: '{{contacto.telefono}}: ¿nombre?', variable: 'nombre', ends: ['invalid'] },
      },
      {
        id: 'n',
        type: 'question',
        data: { text: '{{contacto.telefono}}: ¿cuántas?', expects: 'number', variable: 'cuantas', ends: ['invalid'] },
      },
      { id: 'm', type: 'message', data: { text: '{{contacto.telefono}}: {{flujo.cuantas}} para {{flujo.nombre}}' } },
      { id: 'w', type: 'wait', data: { ms: 1000 } },
      { id: 'e', type: 'message', data: { text: '{{contacto.telefono}}: listo', ends: ['next'] } },
    ],
    edges: [
      { source: 's', target: 'q' },
      { source: 'q', target: 'n' },
      { source: 'n', target: 'm' },
      { source: 'm', target: 'w' },
      { source: 'w', target: 'e' },
    ],
  },
})

/** All runs of the flow. */
const runsOf = async ({ office }: World, id: string): Promise<FlowRun[]> => {
  const all: FlowRun[] = []
  for (let page = 1; ; page += 1) {
    const path = `/whatsapp/flows/${id}/runs?page=${page}`
    const { items, hasMore } = await office.insist<{ items: FlowRun[]; hasMore: boolean }>('GET', path)
    all.push(...items)
    if (!hasMore) return all
  }
}

/**
 * Waits until no run is active and WhatsApp's statuses are processed; on a busy machine, as long as there is progress.
 */
const settle = async (world: World, id: string, sessions: number): Promise<FlowRun[]> => {
  let until = Date.now() + settleMs
  let before = ''
  for (;;) {
    const runs = await runsOf(world, id)
    const isOver = runs.length >= sessions && runs.every(({ endedAt }) => endedAt !== null)
    const now = `${runs.length} ${runs.filter(({ endedAt }) => endedAt !== null).length} ${world.graph.ledger.length}`
    if (now !== before) until = Date.now() + settleMs
    before = now
    if (Date.now() > until || (isOver && !world.graph.waitingReports)) return runs
    await sleep(200)
  }
}

/** Waits until nothing is sent any more: every queued message has arrived or is unconfirmed. */
const quiet = async ({ office }: World, phones: readonly string[]): Promise<Map<string, string[]>> => {
  const until = Date.now() + settleMs
  const said = new Map<string, string[]>()
  let open = [...phones]
  while (open.length && Date.now() < until) {
    const waiting: string[] = []
    for (const phone of open) {
      const out = (await office.messagesOf(phone)).filter(({ direction }) => direction === 'out')
      said.set(
        phone,
        out.map(({ text }) => text ?? ''),
      )
      if (out.some(({ status, unconfirmed }) => status === 'queued' && !unconfirmed)) waiting.push(phone)
    }
    open = waiting
    if (open.length) await sleep(200)
  }
  return said
}

/**
 * Customers go through a flow while the server is killed repeatedly: while it processes their messages, while it sends,
 * while runs wait for a time.
 */
export async function playFlowRound(world: World, round: number, { sessions, kills }: FlowLoad): Promise<Claim[]> {
  const { server, graph, number, office, dice } = world
  const word = `vamos${round}`
  const flow = await office.insist<Flow>('POST', '/whatsapp/flows', {
    key: `crash-flow-${round}-key`,
    body: graphOf(word),
  })
  await office.insist('POST', `/whatsapp/flows/${flow.id}/publish`, { body: {} })
  // None of them is in another round.
  const phones = Array.from({ length: sessions }, (_, n) => `54911${70_000_000 + round * sessions + n}`)
  const theirs = new Set(phones)
  const before = graph.ledger.length
  const arrived = () => graph.ledger.slice(before).filter(({ to }) => theirs.has(to))

  const queue = phones.values()
  const customer = async () => {
    for (const phone of queue)
      for (const [n, text] of [word, ...answers].entries()) {
        const timestamp = String(Math.floor(Date.now() / 1000))
        const wamid = `wamid.f${round}.${phone}.${n}`
        const { phoneNumberId, wabaId } = number
        const raw = textWebhook({ phoneNumberId, wabaId, from: phone, wamid, text, timestamp })
        while (!(await graph.post(raw))) await sleep(20)
      }
  }
  let killed = 0
  const killer = async () => {
    const all = sessions * script('').length
    const points = Array.from({ length: kills }, () => dice.below(Math.floor(all * 0.85))).sort((a, b) => a - b)
    for (const point of points) {
      // Each kill comes in the middle of work, not right after another.
      let [until, known] = [Date.now() + settleMs, -1]
      for (let count = -1; count < point && Date.now() < until; await sleep(2)) {
        count = graph.ledger.length - before
        if (count !== known) until = Date.now() + settleMs
        known = count
      }
      // At a random moment of the next commits and calls.
      await sleep(dice.below(8))
      await server.kill()
      await server.start()
      killed += 1
    }
  }
  await Promise.all([killer(), ...Array.from({ length: customersAtOnce }, customer)])
  const runs = await settle(world, flow.id, sessions)
  const said = await quiet(world, phones)
  const of = Map.groupBy(runs, ({ contact }) => contact?.phone ?? '')
  const got = Map.groupBy(arrived(), ({ to, text }) => `${to} ${text}`)
  const says = (what: string) => `round ${round}, ${sessions} in a flow, killed ${killed} times: ${what}`
  return [
    {
      says: says('each came in once, and through'),
      faults: phones.flatMap(phone => {
        const states = (of.get(phone) ?? []).map(({ state }) => state)
        return states.length === 1 && states[0] === 'finished' ? [] : [`${phone}: ${states.join(', ') || 'nobody'}`]
      }),
    },
    {
      says: says('each was asked and said everything once, in order'),
      faults: phones
        .filter(phone => said.get(phone)?.join() !== script(phone).join())
        .map(phone => `${phone}: ${said.get(phone)?.join(' · ')}`),
    },
    {
      says: says('WhatsApp got nothing twice, and nothing else'),
      faults: [
        ...[...got].filter(([, all]) => all.length > 1).map(([what, all]) => `${what} arrived ${all.length} times`),
        ...arrived()
          .filter(({ to, text }) => !script(to).includes(text))
          .map(({ to, text }) => `${to} got ${text}`),
      ],
    },
  ]
}
