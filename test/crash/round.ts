import { setTimeout as sleep } from 'node:timers/promises'
import { customerPhone, type Dice } from '#server/cli/seed-words.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { textWebhook } from '#test/helpers/webhooks.ts'
import type { Server } from './fleet.ts'
import type { GraphNumber, GraphStub } from './graph-stub.ts'
import type { Office } from './office.ts'
import type { Program } from './program.ts'
import type { Tab } from './tab.ts'

export interface World {
  readonly server: Server
  readonly graph: GraphStub
  readonly number: GraphNumber
  readonly office: Office
  readonly dice: Dice
  /** Tabs open on the server while it is killed. */
  readonly tabs: readonly Tab[]
  /** Is told of every received message. */
  readonly program: Program
}

export interface Load {
  readonly webhooks: number
  readonly sends: number
  readonly customers: number
}

export interface Claim {
  readonly says: string
  readonly faults: readonly string[]
}

const webhooksAtOnce = 16
const sendsAtOnce = 6
const settleMs = 30_000

/** Runs at most `lanes` jobs at a time, in order. */
const inParallel = async <T>(jobs: readonly T[], lanes: number, work: (job: T) => Promise<void>) => {
  const queue = jobs.values()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const job of queue) await work(job)
    }),
  )
}

const settled = new Set(['sent', 'delivered', 'read'])

/**
 * Customers write and members answer concurrently; in the middle the server is killed and started again. Unanswered
 * requests are repeated, as Meta and the browser do. Then the records of both sides are compared.
 */
export async function playRound(world: World, round: number, load: Load): Promise<Claim[]> {
  const { server, graph, number, office, dice } = world
  const phones = Array.from({ length: load.customers }, (_, n) => customerPhone(round * load.customers + n))
  const stamp = () => String(Math.floor(Date.now() / 1000))
  const inbound = (from: string, wamid: string) =>
    textWebhook({
      phoneNumberId: number.phoneNumberId,
      wabaId: number.wabaId,
      from,
      wamid,
      text: `in ${wamid}`,
      timestamp: stamp(),
    })
  const deliver = async (from: string, wamid: string) => {
    const raw = inbound(from, wamid)
    while (!(await graph.post(raw))) await sleep(20)
  }

  const received = new Set<string>()
  await inParallel(phones, webhooksAtOnce, async phone => {
    const wamid = `wamid.r${round}.hello.${phone}`
    await deliver(phone, wamid)
    received.add(wamid)
  })
  await inParallel(
    phones,
    sendsAtOnce,
    async phone => void (await office.insist('GET', `/whatsapp/conversations/${phone}`)),
  )

  const total = load.webhooks + load.sends
  const killAfter = Math.floor(total * (0.2 + dice.roll() * 0.6))
  let done = 0
  let kill: Promise<void> | undefined
  const progress = () => {
    done += 1
    if (done < killAfter || kill) return
    kill = (async () => {
      // At a random moment of the next commits and calls, not just between two of our steps.
      await sleep(dice.below(8))
      await server.kill()
      await server.start()
    })()
  }

  const texts = Array.from({ length: load.sends }, (_, n) => `out ${round}.${n}`)
  await Promise.all([
    inParallel(
      Array.from({ length: load.webhooks }, (_, n) => n),
      webhooksAtOnce,
      async n => {
        const wamid = `wamid.r${round}.${n}`
        await deliver(phones[n % phones.length] as string, wamid)
        received.add(wamid)
        progress()
      },
    ),
    inParallel(
      texts.map((text, n) => ({ text, n })),
      sendsAtOnce,
      async ({ text, n }) => {
        await office.send(phones[n % phones.length] as string, text, `crash-${round}-${n}-key`)
        progress()
      },
    ),
  ])
  await kill
  const messages = await settle(world, phones, received.size, texts.length)
  const claims = [
    ...compare(world, { round, received, texts, messages, killAfter, total }),
    {
      says: `round ${round}: a program gets every received message with one delivery`,
      faults: await world.program.faultsOf(received),
    },
  ]
  if (!world.tabs.length) return claims
  const says = `round ${round}: every tab got every event once, in order, whichever process it watched`
  return [...claims, { says, faults: await comparedTabs(world.tabs) }]
}

/** Waits until the records are stable: all webhooks derived, nothing queued except what WhatsApp never got. */
const settle = async (
  { office, graph }: World,
  phones: readonly string[],
  inbound: number,
  outbound: number,
): Promise<Message[]> => {
  const until = Date.now() + settleMs
  for (;;) {
    const messages = (await Promise.all(phones.map(phone => office.messagesOf(phone)))).flat()
    const ins = messages.filter(({ direction }) => direction === 'in').length
    const outs = messages.filter(({ direction }) => direction === 'out')
    const open = outs.filter(({ status, unconfirmed }) => !settled.has(status) && status !== 'failed' && !unconfirmed)
    const isQuiet = graph.waitingReports === 0 && open.length === 0 && ins >= inbound && outs.length >= outbound
    if (isQuiet || Date.now() > until) return messages
    await sleep(100)
  }
}

const countBy = (values: readonly string[]) => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

interface Books {
  readonly round: number
  readonly received: ReadonlySet<string>
  readonly texts: readonly string[]
  readonly messages: readonly Message[]
  readonly killAfter: number
  readonly total: number
}

/** Waits until all tabs are at the same position. */
const comparedTabs = async (tabs: readonly Tab[]): Promise<string[]> => {
  const until = Date.now() + settleMs
  const isEven = () => tabs.every(tab => tab.last === tabs[0]?.last)
  while (!isEven() && Date.now() < until) await sleep(50)
  const faults = isEven() ? [] : [`they stand at ${tabs.map(tab => tab.last).join(' and ')}`]
  for (const [n, { ids, resyncs }] of tabs.entries()) {
    const wrong = ids.findIndex((id, i) => i > 0 && id !== (ids[i - 1] as number) + 1)
    if (wrong > 0) faults.push(`tab ${n} got ${ids[wrong]} after ${ids[wrong - 1]}`)
    if (resyncs) faults.push(`tab ${n} had to start anew`)
  }
  return faults
}

const compare = ({ graph }: World, { round, received, texts, messages, killAfter, total }: Books): Claim[] => {
  const ins = countBy(messages.flatMap(({ direction, wamid }) => (direction === 'in' && wamid ? [wamid] : [])))
  const outs = Map.groupBy(
    messages.filter(({ direction }) => direction === 'out'),
    ({ text }) => text,
  )
  const taken = Map.groupBy(graph.ledger, ({ text }) => text)
  const fate = (text: string) => outs.get(text)?.[0]
  return [
    {
      says: `round ${round}, killed after ${killAfter} of ${total}: every webhook answered 200 is there exactly once`,
      faults: [...received]
        .filter(wamid => ins.get(wamid) !== 1)
        .map(wamid => `${wamid} is there ${ins.get(wamid) ?? 0} times`),
    },
    {
      says: `round ${round}: nothing is there that nobody wrote`,
      faults: [...ins.keys()].filter(wamid => !received.has(wamid)),
    },
    {
      says: `round ${round}: every send is one message`,
      faults: texts
        .filter(text => outs.get(text)?.length !== 1)
        .map(text => `"${text}" is there ${outs.get(text)?.length ?? 0} times`),
    },
    {
      says: `round ${round}: WhatsApp got no message twice`,
      faults: texts
        .filter(text => (taken.get(text)?.length ?? 0) > 1)
        .map(text => `"${text}" arrived ${taken.get(text)?.length} times`),
    },
    {
      says: `round ${round}: every send has the outcome WhatsApp knows`,
      faults: texts.flatMap(text => {
        const message = fate(text)
        const [arrived] = taken.get(text) ?? []
        const isTaken = message !== undefined && settled.has(message.status)
        if (arrived && !(isTaken && message.wamid === arrived.wamid))
          return [`"${text}" arrived as ${arrived.wamid}, here it is ${message?.status} ${message?.wamid ?? ''}`]
        // Never arrived: it must not be shown as sent, and must not be retried automatically.
        if (!arrived && (isTaken || !message?.unconfirmed))
          return [`"${text}" never arrived, here it is ${message?.status}`]
        return []
      }),
    },
  ]
}
