import { queryFor } from '../app/queries.ts'

/** Who is there now to have conversations. */
export const availabilityQuery = (org: string) => queryFor(org, 'assignment.listAvailability', {})
