import {
  findFirstWaiting,
  listPlanned,
  type PlannedRecipient,
  saveWaiting,
} from '#server/features/bulk-sends/planning/planned-store.ts'
import type { StoredSend } from '#server/features/bulk-sends/store.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { createLocalHours } from './local-hours.ts'

export interface OwnHoursParts {
  readonly clock: Clock
  /** Whose clock counts for numbers of no country. */
  timeZoneOf(orgId: string, db: Db): Promise<string>
}

/** So many are looked through for those whose hour it is: those who wait stand before them in the plan. */
const lookedThrough = 200

/** Those whose turn it is of a send that reaches each within hours of their own, or from a time of their own on. */
export function createOwnHours({ clock, timeZoneOf }: OwnHoursParts) {
  return {
    /** With nobody found, when the first one's hours begin, if it is nobody's hour. */
    async next(
      { db, orgId }: OrgWrite,
      { id, care }: StoredSend,
      limit: number,
    ): Promise<{ people: readonly PlannedRecipient[]; beginsAt?: string | undefined }> {
      const now = isoNow(clock)
      if (!care.hours && !care.localStart) return { people: await listPlanned(db, orgId, id, { now, limit }) }
      const found = await listPlanned(db, orgId, id, { now, limit: Math.max(limit, lookedThrough) })
      const ownZone = await timeZoneOf(orgId, db)
      const waitsUntil = createLocalHours(care, { nowMs: clock.now().getTime(), ownZone })
      const people: PlannedRecipient[] = []
      const waiting: { id: string; until: string }[] = []
      for (const one of found) {
        const until = waitsUntil(one.phone)
        if (until !== null) waiting.push({ id: one.id, until })
        else if (people.length < limit) people.push(one)
      }
      if (waiting.length) await saveWaiting(db, waiting, { orgId })
      if (people.length || found.length === lookedThrough) return { people }
      return { people, beginsAt: await findFirstWaiting(db, orgId, id) }
    },
  }
}
export type OwnHours = ReturnType<typeof createOwnHours>
