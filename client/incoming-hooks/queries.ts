import { queryFor } from '#client/app/queries/queries.ts'

export const hooksQuery = (org: string) => queryFor(org, 'incomingHooks.listHooks', {})
export const callsQuery = (org: string, id: string) =>
  queryFor(org, 'incomingHooks.listCalls', { params: { id }, query: {} })
/** The first flows, of which some start by an address of their own. */
export const flowsQuery = (org: string) => queryFor(org, 'flows.list', { query: {} })
/** The times at which programs last started each of these flows. */
export const flowUsesQuery = (org: string) => queryFor(org, 'flowHooks.listUses', {})
