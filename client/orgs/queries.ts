import { queryFor } from '#client/app/queries/queries.ts'

/** The open invitations of an organization. */
export const sentQuery = (org: string) => queryFor(org, 'invitations.listSent', {})
/** The viewer's own invitations. */
export const receivedQuery = queryFor(undefined, 'invitations.listReceived', {})
