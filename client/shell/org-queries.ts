import { queryFor } from '#client/app/queries/queries.ts'

/** The organization's WhatsApp account and its numbers. */
export const wabaQuery = (org: string) => queryFor(org, 'numbers.getWaba', {})
export const teamsQuery = (org: string) => queryFor(org, 'members.listTeams', {})
/** All members in one list, to choose from. */
export const membersQuery = (org: string) => queryFor(org, 'members.listMembers', { query: {} })
/** The settings of the organization that every member may read, such as its time zone. */
export const orgSettingsQuery = (org: string) => queryFor(org, 'orgSettings.getSettings', {})
/** All flows by id and name, to choose from. */
export const flowNamesQuery = (org: string) => queryFor(org, 'flows.listNames', {})
/** The rules of automatic assignment, for people who may change the organization. */
export const rulesQuery = (org: string) => queryFor(org, 'assignment.getRules', {})
