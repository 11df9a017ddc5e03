import type { QueryClient } from '@tanstack/react-query'
import { effectiveRole, roleCan } from '#shared/permissions.ts'
import { keyFor, queryFor } from '../queries.ts'

export const wabaQuery = (org: string) => queryFor(org, 'numbers.getWaba', {})
export const connectionQuery = (org: string) => queryFor(org, 'numbers.getConnection', { query: {} })

/** Whether a stored role may change the connection. */
export const managesConnection = (role: string): boolean => roleCan(effectiveRole(role), 'connection:manage')

/** The connection changed: what stands here and in the sidebar is asked again. */
export async function refreshConnection(client: QueryClient, org: string): Promise<void> {
  await client.invalidateQueries({ queryKey: keyFor(org, 'numbers.getWaba') })
  const waba = client.getQueryData(wabaQuery(org).queryKey)
  // Of a number that is gone there is nothing to ask.
  if (waba?.phone === null) client.removeQueries({ queryKey: keyFor(org, 'numbers.getConnection') })
  else await client.invalidateQueries({ queryKey: keyFor(org, 'numbers.getConnection') })
}
