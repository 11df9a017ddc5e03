import { queryFor } from '../app/queries.ts'

/** Which members are available now. */
export const availabilityQuery = (org: string) => queryFor(org, 'assignment.listAvailability', {})
