import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import {
  type BusinessHours,
  businessHoursFault,
  type HoursSpan,
  isWithinBusinessHours,
  nextOpening,
  weekdays,
} from '#shared/orgs/business-hours.ts'
import type { orgSettingsApi } from '#shared/orgs/settings.ts'
import { findBusinessHours } from './business-hours-store.ts'
import { saveSettings } from './store.ts'

interface BusinessHoursParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
}

type Calls = Pick<typeof orgSettingsApi, 'getBusinessHours' | 'setBusinessHours'>

const sorted = (spans: readonly HoursSpan[]): HoursSpan[] => [...spans].sort((a, b) => (a.from < b.from ? -1 : 1))

/** Sorts the spans of each day, and the exceptions by date. */
const inOrder = ({ week, exceptions }: BusinessHours): BusinessHours => ({
  week: Object.fromEntries(weekdays.map(day => [day, sorted(week[day])])) as unknown as BusinessHours['week'],
  exceptions: exceptions
    .map(({ date, spans }) => ({ date, spans: sorted(spans) }))
    .sort((a, b) => (a.date < b.date ? -1 : 1)),
})

export type BusinessHoursService = ServiceOf<Calls, OrgCaller> & {
  /** Without business hours, the organization is always open. `at`: ISO 8601. Inside a transaction, pass its `db`. */
  isOpenAt(orgId: string, at: string, db?: Db): Promise<boolean>
  /** Returns a function like `isOpenAt` for many times, after one read. */
  readOpening(orgId: string, db?: Db): Promise<(at: string) => boolean>
  /** `hours` null: the organization attends at all times. The days are those of `timeZone`. */
  zonedHours(orgId: string, db?: Db): Promise<{ hours: BusinessHours | null; timeZone: string }>
}

export function createBusinessHours({ databases, clock, writes }: BusinessHoursParts): BusinessHoursService {
  const readHours = async (db: Db, orgId: string) => {
    const { hours, timeZone } = await findBusinessHours(db, orgId)
    const now = isoNow(clock)
    const isOpen = isWithinBusinessHours(hours, now, timeZone)
    return { hours, timeZone, isOpen, opensAt: isOpen ? null : nextOpening(hours, now, timeZone) }
  }

  const readOpening = async (orgId: string, db: Db = databases.read) => {
    const { hours, timeZone } = await findBusinessHours(db, orgId)
    return (at: string) => isWithinBusinessHours(hours, at, timeZone)
  }

  return {
    readOpening,
    zonedHours: (orgId, db = databases.read) => findBusinessHours(db, orgId),
    isOpenAt: async (orgId, at, db) => (await readOpening(orgId, db))(at),
    getBusinessHours: ({ orgId }) => readHours(databases.read, orgId),

    /** @throws InvalidInput for a day whose spans overlap or are invalid */
    async setBusinessHours(caller, { body: { hours } }) {
      const fault = hours && businessHoursFault(hours)
      if (fault) throw new InvalidInput([{ field: `body.hours.${fault}`, code: 'invalid', params: {} }])
      return writes.run(caller.orgId, actorOf(caller), async ({ db, emit }) => {
        await saveSettings(db, caller.orgId, { businessHours: hours && inOrder(hours) }, isoNow(clock))
        emit({ type: 'organization.changed', data: {} })
        return readHours(db, caller.orgId)
      })
    },
  }
}
