import { queryFor } from '#client/app/queries/queries.ts'

/** Lists the members who are available now. */
export const availabilityQuery = (org: string) => queryFor(org, 'assignment.listAvailability', {})
