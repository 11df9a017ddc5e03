import { Type } from 'typebox'
import type { AppliedWebhooks } from '#server/messaging/intake/applied.ts'
import { readStoredWebhook } from '#server/messaging/intake/journal.ts'
import { listOwnNumbers } from '#server/messaging/sending/to-many.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { rawDelivery } from '#shared/outgoing-webhooks/api.ts'
import type { Delivering } from './delivering.ts'
import { createStoring, type FanOut, type NewEvent, orderOfEvents } from './fan-out.ts'
import type { ListeningWebhooks } from './listening.ts'
import {
  changeValues,
  filterWebhook,
  mapValues,
  type Owned,
  onlyOurs,
  ownerOf,
  type RawWebhook,
  readRawWebhook,
  webhookLine,
  webhookText,
} from './raw-webhook.ts'
import { listWebhooks, type StoredWebhook } from './webhook-store.ts'

interface PassingOnParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly jobs: Pick<Jobs, 'register'>
  readonly listening: Pick<ListeningWebhooks, 'takesRaw'>
  readonly delivering: Pick<Delivering, 'add'>
  /** Returns a function that renames messages in values of webhooks: the programs that sent them know other ids. */
  namesOf(
    orgId: string,
    values: readonly Readonly<Record<string, unknown>>[],
  ): Promise<(value: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>>
  readonly fanOut: FanOut
  /** The organization of a number or account, as for webhooks that are applied here. */
  routeOf(
    item: { phoneNumberId?: string; wabaId: string },
    connectionId: string | null,
  ): Promise<{ orgId: string } | undefined>
}

interface PassOn {
  /** Passes on a webhook that is made here, in the caller's transaction. */
  passOn(write: OrgWrite, raw: string): Promise<void>
}

/** A large webhook takes some milliseconds to read. */
const webhooksPerJob = 20
const PassOn = Type.Object({ seqs: Type.Array(Type.Integer()) })

/**
 * Passes Meta's webhooks on to programs that read Meta's shape. A job reads the stored webhook again, so that applying
 * it here costs one row more, and only where a program takes them.
 */
export function createPassingOn(parts: PassingOnParts): AppliedWebhooks & PassOn {
  const { databases, clock, ids, jobs, listening } = parts
  const store = createStoring(parts)

  const findOwners = async (owned: readonly Owned[], connectionId: string | null) => {
    const owners = new Map<string, string | undefined>()
    for (const { phoneNumberId, wabaId } of owned) {
      const key = `${phoneNumberId ?? ''} ${wabaId}`
      const item = { wabaId, ...(phoneNumberId === undefined ? {} : { phoneNumberId }) }
      if (!owners.has(key)) owners.set(key, (await parts.routeOf(item, connectionId))?.orgId)
    }
    return ({ phoneNumberId, wabaId }: Owned) => owners.get(`${phoneNumberId ?? ''} ${wabaId}`)
  }

  /** Divides a webhook of Meta by what each of these webhooks gets. Those that get the same share an event. */
  const divide = async (db: Db, orgId: string, ours: RawWebhook, raw: string, webhooks: readonly StoredWebhook[]) => {
    const phones = new Map((await listOwnNumbers(db, orgId)).map(one => [one.phoneNumberId, one.phone]))
    const byText = new Map<string, { line: string | null; webhooks: string[] }>()
    for (const { name, filter } of webhooks) {
      const left = filterWebhook(ours, filter ?? {}, id => phones.get(id))
      if (!left) continue
      const text = webhookText(left, raw)
      const known = byText.get(text)
      if (known) known.webhooks.push(name)
      else byText.set(text, { line: webhookLine(left), webhooks: [name] })
    }
    const at = clock.now().getTime()
    return [...byText].map(([body, rest]): NewEvent => ({ id: ids(at), type: rawDelivery, body, ...rest }))
  }

  const listRaw = async (db: Db, orgId: string) =>
    (await listWebhooks(db, orgId)).filter(one => one.active && one.format === 'meta')

  const readEvents = async (orgId: string, seq: number, webhooks: readonly StoredWebhook[]): Promise<NewEvent[]> => {
    const stored = await readStoredWebhook(databases.read, seq)
    const raw = stored?.raw.toString('utf8') ?? ''
    const whole = stored && readRawWebhook(raw)
    if (!whole) return []
    const owned = whole.entries.flatMap(entry => entry.changes.map(change => ownerOf(entry, change)))
    const ownerOfChange = await findOwners(owned, stored.connectionId)
    const ours = onlyOurs(whole, one => ownerOfChange(one) === orgId)
    if (!ours) return []
    const named = mapValues(ours, await parts.namesOf(orgId, changeValues(ours)))
    return divide(databases.read, orgId, named, raw, webhooks)
  }

  const queue = jobs.register({
    name: 'outgoing.raw',
    looksWithinMs: 60_000,
    gapsMs: [1_000, 5_000, 60_000],
    tries: 100,
    payload: PassOn,
    lane: 'bot',
    atOnce: 4,
    isKept: false,
    isWhole: true,
    endsTogether: true,
    async run({ orgId, payload }): Promise<Outcome> {
      const webhooks = await listRaw(databases.read, orgId)
      if (!webhooks.length) return { kind: 'done' }
      const events: NewEvent[] = []
      for (const seq of payload.seqs) events.push(...(await readEvents(orgId, seq, webhooks)))
      return {
        kind: 'done',
        write: writes => store(writes.of(orgId), events),
      }
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  return {
    async passOn(write, raw) {
      const { db, orgId } = write
      if (!(await listening.takesRaw(db, orgId))) return
      const made = readRawWebhook(raw)
      const events = made ? await divide(db, orgId, made, raw, await listRaw(db, orgId)) : []
      if (events.length) await parts.fanOut.add(write, events)
    },
    async applied(writes, applied) {
      for (const [orgId, own] of Map.groupBy(applied, one => one.orgId)) {
        if (!(await listening.takesRaw(writes.db, orgId))) continue
        const seqs = own.map(({ seq }) => seq)
        for (let from = 0; from < seqs.length; from += webhooksPerJob) {
          const payload = { seqs: seqs.slice(from, from + webhooksPerJob) }
          await queue.add(writes.db, orgId, [{ payload, orderKey: orderOfEvents }])
        }
        writes.of(orgId).afterCommit(queue.wake)
      }
    },
  }
}
