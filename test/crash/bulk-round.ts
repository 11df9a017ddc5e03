import { setTimeout as sleep } from 'node:timers/promises'
import { unconfirmedCode } from '#server/whatsapp/errors/code-meanings.ts'
import { bulkPerSecond } from '#shared/bulk-sends/pace.ts'
import type { BulkRecipient, BulkSend, BulkSendReport } from '#shared/bulk-sends/sends.ts'
import type { Taken } from './graph-stub.ts'
import type { Claim, World } from './round.ts'

interface Page<T> {
  readonly items: readonly T[]
  readonly hasMore: boolean
}

const settleMs = 90_000
/** Each kill is a server start, on a machine with other work. */
const perKillMs = 20_000
/** In flight and not arrived at the kill: messages due within some milliseconds. */
const maxLeaving = 3
const taken = new Set(['sent', 'delivered', 'read', 'replied'])

/** All recipients of a send, page by page. */
const recipientsOf = async ({ office }: World, id: string): Promise<BulkRecipient[]> => {
  const all: BulkRecipient[] = []
  for (let page = 1; ; page += 1) {
    const path = `/whatsapp/bulk-sends/${id}/recipients?page=${page}`
    const { items, hasMore } = await office.insist<Page<BulkRecipient>>('GET', path)
    all.push(...items)
    if (!hasMore) return all
  }
}

/**
 * Waits until the records are stable: a plan row for each recipient, an outcome for every delivered message, unknown
 * for the others. A status webhook answered 200 is stored and processed a little later.
 */
const settle = async (
  world: World,
  id: string,
  arrived: () => readonly Taken[],
  until: number,
): Promise<BulkRecipient[]> => {
  const { office, graph } = world
  const isUnknown = async (phone: string) => (await office.messagesOf(phone)).every(({ unconfirmed }) => unconfirmed)
  for (;;) {
    const { counts, state } = await office.insist<BulkSendReport>('GET', `/whatsapp/bulk-sends/${id}`)
    if ((counts.planned || state === 'preparing') && Date.now() < until) {
      await sleep(250)
      continue
    }
    const rows = await recipientsOf(world, id)
    const open = rows.filter(({ state }) => !taken.has(state)).map(({ given }) => given)
    const there = new Set(arrived().map(({ to }) => to))
    const isRead = !counts.planned && !graph.waitingReports && !open.some(phone => there.has(phone))
    if (Date.now() > until || (isRead && (await Promise.all(open.map(isUnknown))).every(Boolean))) return rows
    await sleep(100)
  }
}

/** When to kill, as numbers of delivered messages: at different points of the send. */
const placesOf = (people: number, kills: number, { below }: World['dice']): number[] =>
  Array.from({ length: kills }, (_, i) => {
    const part = Math.floor((people * 0.9) / kills)
    return 1 + part * i + below(part)
  })

/**
 * One template goes to many recipients and the server is killed repeatedly meanwhile. Messages in flight that never
 * arrived end as unconfirmed; all others have their outcome.
 */
export async function playBulkRound(
  world: World,
  round: number,
  { people, kills, perSecond }: { people: number; kills: number; perSecond?: number | undefined },
): Promise<Claim[]> {
  const { server, graph, office, dice } = world
  await office.insist('POST', '/whatsapp/template/sync')
  const { items: templates } = await office.insist<Page<{ id: string }>>('GET', '/whatsapp/template?status=APPROVED')
  // None of them is in another round.
  const phones = Array.from({ length: people }, (_, n) => `54911${60_000_000 + round * people + n}`)
  const asked = new Set(phones)
  const before = graph.ledger.length
  const arrived = () => graph.ledger.slice(before).filter(({ to }) => asked.has(to))
  if (perSecond !== undefined) await office.insist('PUT', '/whatsapp/bulk-pace', { body: { perSecond } })
  const send = await office.insist<BulkSend>('POST', '/whatsapp/bulk-sends', {
    key: `crash-bulk-${round}-key`,
    body: { template: templates[0]?.id, audience: { numbers: phones.join('\n') }, startIfPlanned: people },
  })
  const places = placesOf(people, kills, dice)
  const until = Date.now() + settleMs + kills * perKillMs + (people * 1000) / (perSecond ?? bulkPerSecond)
  for (const place of places) {
    while (arrived().length < place && Date.now() < until) await sleep(2)
    await sleep(dice.below(8))
    await server.kill()
    await server.start()
  }
  const rows = await settle(world, send.id, arrived, until)
  const ledger = Map.groupBy(arrived(), ({ to }) => to)
  const named = Map.groupBy(rows, ({ given }) => given)
  const untried = rows.filter(({ given, state }) => !ledger.has(given) && !taken.has(state))
  const says = (what: string) => `round ${round}, a send to ${people} killed after ${places.join(', ')}: ${what}`
  return [
    {
      says: says('each person stands in it once'),
      faults: phones
        .filter(phone => named.get(phone)?.length !== 1)
        .map(phone => `${phone} stands in it ${named.get(phone)?.length ?? 0} times`),
    },
    {
      says: says('WhatsApp got nobody’s message twice'),
      faults: phones
        .filter(phone => (ledger.get(phone)?.length ?? 0) > 1)
        .map(phone => `${phone} got ${ledger.get(phone)?.length}`),
    },
    {
      says: says('each has the outcome WhatsApp knows'),
      faults: rows.flatMap(({ given, state, reason }) => {
        const isThere = ledger.has(given)
        // An unconfirmed message fails after a while: a long run lasts longer than that.
        const isOpen = state === 'queued' || (state === 'failed' && reason?.code === unconfirmedCode)
        if (isThere === taken.has(state) && (isThere || isOpen)) return []
        return [`${given} ${isThere ? 'arrived' : 'never arrived'}, here it is ${state}`]
      }),
    },
    {
      says: says(`of ${untried.length} WhatsApp got nothing, which is what was leaving at that moment`),
      faults: untried.length > kills * maxLeaving ? untried.map(({ given }) => `${given} never arrived`) : [],
    },
  ]
}
