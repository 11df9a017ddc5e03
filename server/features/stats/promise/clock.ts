import type { BusinessHoursService } from '#server/identity/orgs/settings/business-hours.ts'
import type { OrgSettingsService } from '#server/identity/orgs/settings/settings.ts'
import type { Db } from '#server/platform/db/database.ts'
import { soonMs } from '#shared/stats/definitions.ts'
import { businessTime, businessTimeAfter } from '../figures/business-time.ts'

export interface PromiseClockParts {
  readonly orgSettings: Pick<OrgSettingsService, 'read'>
  readonly businessHours: Pick<BusinessHoursService, 'zonedHours' | 'isOpenAt'>
}

/** An organization's promise of a first response, in its business hours, if it made one. Times are ms. */
export interface PromiseClock {
  /**
   * The promise to a customer who waits since then is broken at `dueAt`, and people are warned at `warnAt`. Undefined:
   * never.
   */
  timesOf(since: number): { readonly dueAt: number; readonly warnAt: number } | undefined
  /** Business hours between two times. */
  elapsed(from: number, to: number): number
}

export async function readPromiseClock(
  db: Db,
  orgId: string,
  { orgSettings, businessHours }: PromiseClockParts,
): Promise<PromiseClock> {
  const promiseMinutes = await orgSettings.read(orgId, 'promiseMinutes', db)
  const { hours, timeZone } = await businessHours.zonedHours(orgId, db)
  const after = businessTimeAfter(hours, timeZone)
  return {
    timesOf(since) {
      if (promiseMinutes === null) return undefined
      const promiseMs = promiseMinutes * 60_000
      const dueAt = after(since, promiseMs)
      const warnAt = after(since, promiseMs - soonMs(promiseMs))
      return dueAt === undefined || warnAt === undefined ? undefined : { dueAt, warnAt }
    },
    elapsed: businessTime(hours, timeZone),
  }
}
