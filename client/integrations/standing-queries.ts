import type { QueryClient } from '@tanstack/react-query'
import { keyFor, queryFor } from '#client/app/queries/queries.ts'

/** Identifies the number, if there are several. */
const which = (id: string | undefined) => ({ query: id === undefined ? {} : { id } })
export const standingQuery = (org: string, id?: string) => queryFor(org, 'numberStanding.getStanding', which(id))
export const profileQuery = (org: string, id?: string) => queryFor(org, 'numberStanding.getProfile', which(id))

/** Reloads the numbers' states. */
export async function refreshStanding(client: QueryClient, org: string): Promise<void> {
  await Promise.all(
    (['numberStanding.getStanding', 'numberStanding.getProfile'] as const).map(name =>
      client.invalidateQueries({ queryKey: keyFor(org, name) }),
    ),
  )
}
