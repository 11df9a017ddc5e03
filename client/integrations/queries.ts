import type { QueryClient } from '@tanstack/react-query'
import { keyFor, queryFor } from '#client/app/queries/queries.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'

export const connectionsQuery = (org: string) => queryFor(org, 'numbers.listConnections', {})

export const keyUseQuery = (org: string) => queryFor(org, 'apiCalls.getUse', {})
export const importsQuery = (org: string) => queryFor(org, 'contactImports.listImports', {})
export const upstreamQuery = (org: string) => queryFor(org, 'upstream.getUpstream', {})

/** `role` is as stored; an unknown one counts as viewer. */
export const managesConnection = (role: string): boolean => roleCan(effectiveRole(role), 'connection:manage')

export const mayImport = (role: string): boolean => roleCan(effectiveRole(role), 'member:manage')

/** A connection changed: reloads what is shown of it, also in the sidebar. */
export async function refreshConnection(client: QueryClient, org: string): Promise<void> {
  await Promise.all(
    (['numbers.getWaba', 'numbers.listConnections'] as const).map(name =>
      client.invalidateQueries({ queryKey: keyFor(org, name) }),
    ),
  )
}
