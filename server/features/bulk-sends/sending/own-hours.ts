import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { findFirstWaiting, listPlanned, type PlannedRecipient, saveWaiting } from '../planning/planned-store.ts'
import type { StoredSend } from '../stored-send.ts'
import { createLocalHours } from './local-hours.ts'

export interface OwnHoursParts {
  readonly clock: Clock
  /** The time zone for numbers without a country. */
  readTimeZone(orgId: string, db: Db): Promise<string>
}

/** Recipients searched for those in their hours: waiting ones come first in the plan. */
const maxSearched = 200

/** The next recipients of a send with local hours or local start times. */
export function createOwnHours({ clock, readTimeZone }: OwnHoursParts) {
  return {
    /** If nobody is found: when the first one's hours begin. */
    async next(
      { db, orgId }: OrgWrite,
      { id, care }: StoredSend,
      limit: number,
    ): Promise<{ people: readonly PlannedRecipient[]; beginsAt?: string | undefined }> {
      const now = isoNow(clock)
      if (!care.hours && !care.localStart) return { people: await listPlanned(db, orgId, id, { now, limit }) }
      const found = await listPlanned(db, orgId, id, { now, limit: Math.max(limit, maxSearched) })
      const ownZone = await readTimeZone(orgId, db)
      const waitsUntil = createLocalHours(care, { nowMs: clock.now().getTime(), ownZone })
      const people: PlannedRecipient[] = []
      const waiting: { id: string; until: string }[] = []
      for (const one of found) {
        const until = waitsUntil(one.phone)
        if (until !== null) waiting.push({ id: one.id, until })
        else if (people.length < limit) people.push(one)
      }
      if (waiting.length) await saveWaiting(db, waiting, { orgId })
      if (people.length || found.length === maxSearched) return { people }
      return { people, beginsAt: await findFirstWaiting(db, orgId, id) }
    },
  }
}
export type OwnHours = ReturnType<typeof createOwnHours>
