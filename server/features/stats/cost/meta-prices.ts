import { Type } from 'typebox'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { vendorActor } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import type { Chore } from '#server/platform/work/maintenance.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import { wallTime } from '#shared/kernel/time.ts'
import {
  forgetUnreadAccount,
  listReadings,
  listUnreadAccounts,
  type MetaPriceRow,
  replacePrices,
  saveReading,
} from './meta-price-store.ts'
import type { AccountReader } from './readers.ts'

interface MetaPriceParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly jobs: Jobs
  readonly log: Log
  readonly writes: Pick<Writes, 'run'>
  readTimeZone(orgId: string): Promise<string>
  listReaders(orgId: string): Promise<readonly AccountReader[]>
}

const dayMs = 86_400_000
const everyMs = dayMs
/** Meta corrects the last days, so they are read again. */
const daysAgain = 30
/** Meta has no more. */
const daysAtFirst = 90
const daysKept = 400
const orgsAtOnce = 200

/** Reads once a day what Meta counts and bills, where it says so. */
export function createMetaPrices(parts: MetaPriceParts) {
  const { databases, clock, jobs, log, writes, readTimeZone, listReaders } = parts

  /** @throws WhatsAppError */
  const readAccount = async (orgId: string, { wabaId, reader }: AccountReader, signal: AbortSignal) => {
    const zone = await readTimeZone(orgId)
    const now = clock.now().getTime()
    const dayOf = (at: number) => wallTime(at, zone).slice(0, 10)
    const before = (await listReadings(databases.read, orgId)).find(known => known.wabaId === wabaId)
    const startMs = now - (before?.lastDay ? daysAgain : daysAtFirst) * dayMs
    const { currency, prices } = await reader.read({ startMs, endMs: now }, signal)
    const from = dayOf(startMs)
    // Meta's days may begin at another time than those of the organization. The noon of a day of Meta decides.
    const byKey = new Map<string, MetaPriceRow>()
    for (const { startMs: at, country, category, type, volume, cost } of prices) {
      const day = dayOf(at + dayMs / 2)
      if (day < from) continue
      const key = [day, country, category, type].join(' ')
      const known = byKey.get(key)
      byKey.set(key, {
        day,
        country,
        category,
        type,
        volume: volume + (known?.volume ?? 0),
        cost: Math.round(cost * 1e6) + (known?.cost ?? 0),
      })
    }
    await writes.run(orgId, vendorActor, async ({ db }) => {
      await replacePrices(db, orgId, wabaId, {
        from,
        forgetBefore: dayOf(now - daysKept * dayMs),
        prices: [...byKey.values()],
      })
      await saveReading(db, orgId, {
        wabaId,
        firstDay: before?.firstDay ?? from,
        // Today is not over.
        lastDay: dayOf(now - dayMs),
        currency,
        readAt: isoNow(clock),
        failure: null,
      })
    })
  }

  const queue = jobs.register({
    name: 'stats.metaPrices',
    looksWithinMs: everyMs,
    payload: Type.Object({}),
    atOnce: 2,
    isKept: false,
    async run({ orgId }, { signal }) {
      for (const account of await listReaders(orgId)) {
        try {
          await readAccount(orgId, account, signal)
        } catch (error) {
          if (signal.aborted) return { kind: 'released' }
          if (!(error instanceof WhatsAppError)) throw error
          log.info({ orgId, code: error.code }, "Meta's prices could not be read")
          const { wabaId } = account
          const before = (await listReadings(databases.read, orgId)).find(known => known.wabaId === wabaId)
          await writes.run(orgId, vendorActor, ({ db }) =>
            saveReading(db, orgId, {
              firstDay: null,
              lastDay: null,
              currency: null,
              ...before,
              wabaId,
              readAt: isoNow(clock),
              failure: error.code,
            }),
          )
        }
      }
      return undefined
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  const chore: Chore = {
    name: "Meta's prices",
    async run() {
      const due = await listUnreadAccounts(databases.read, isoIn(clock, -everyMs), orgsAtOnce)
      for (const { orgId } of due)
        await inTransaction(databases, trx => queue.add(trx, orgId, [{ payload: {}, uniqueKey: 'prices' }]))
      if (due.length) queue.wake()
      // Accounts that are read forget old days themselves. These are disconnected.
      const before = isoIn(clock, -daysKept * dayMs)
      return inBatches(1, async () =>
        Number(await inTransaction(databases, trx => forgetUnreadAccount(trx, before), { isForMany: true })),
      )
    },
  }
  return { chore }
}
