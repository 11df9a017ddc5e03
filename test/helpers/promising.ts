import type { OrgSettingsService } from '#server/identity/orgs/settings.ts'
import type { OrgSettings } from '#shared/orgs/settings.ts'

/** The settings of an organization that promises a first response within so many minutes. */
export const promising = (promiseMinutes: number): Pick<OrgSettingsService, 'getSettings'> => ({
  getSettings: async () => ({ promiseMinutes }) as OrgSettings,
})
