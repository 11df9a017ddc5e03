import type { OrgSettingsService } from '#server/identity/orgs/settings/settings.ts'
import { weekdays } from '#shared/orgs/business-hours.ts'
import type { OrgSettings } from '#shared/orgs/settings.ts'

/** The settings of an organization that promises a first response within this many minutes. */
export const promising = (promiseMinutes: number): Pick<OrgSettingsService, 'getSettings'> => ({
  getSettings: async () => ({ promiseMinutes }) as OrgSettings,
})

/**
 * The body of `PUT /organization/business-hours` for an organization that is never open, so that no response falls due.
 * Otherwise the number and time of events about due responses depend on which messages share a transaction.
 */
export const alwaysClosed = {
  hours: { week: Object.fromEntries(weekdays.map(day => [day, []])), exceptions: [] },
}
