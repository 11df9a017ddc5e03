import type { OrgSettingsService } from '#server/identity/orgs/settings.ts'
import { weekdays } from '#shared/orgs/business-hours.ts'
import type { OrgSettings } from '#shared/orgs/settings.ts'

/** The settings of an organization that promises a first response within so many minutes. */
export const promising = (promiseMinutes: number): Pick<OrgSettingsService, 'getSettings'> => ({
  getSettings: async () => ({ promiseMinutes }) as OrgSettings,
})

/**
 * The body of `PUT /organization/business-hours` with which no first response falls due. How many events tell of due
 * responses, and when, depends on which messages share a transaction.
 */
export const alwaysClosed = {
  hours: { week: Object.fromEntries(weekdays.map(day => [day, []])), exceptions: [] },
}
