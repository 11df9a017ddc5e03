import type { QueryClient } from '@tanstack/react-query'
import { numberedRows, refreshPages } from '#client/app/queries/paged-list.ts'
import { keyFor, pagesFor, queryFor } from '#client/app/queries/queries.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'
import { membersPerPage } from '#shared/orgs/members.ts'

export const organizationQuery = (org: string) => queryFor(org, 'members.getOrganization', {})

/** Members page by page, filtered by words, with the facts that only people who manage members get. */
export const memberPagesQuery = (org: string, search: string) =>
  pagesFor(
    org,
    'members.listMembers',
    { query: { details: true, pageSize: membersPerPage, ...(search ? { search } : {}) } },
    { first: 1, next: last => (last.hasMore ? last.page + 1 : undefined), query: page => ({ page }), ...numberedRows },
  )

/** The search words of an address. */
export const searchOf = (query: URLSearchParams): string => query.get('search')?.trim().slice(0, 100) ?? ''

export const availableTagsQuery = (org: string) => queryFor(org, 'visibility.listAvailableTags', {})
export const assignedTagsQuery = (org: string, role: OrgRole) =>
  queryFor(org, 'visibility.listAssignedTags', { query: { role } })
export const contentAccessQuery = (org: string) => queryFor(org, 'visibility.getContentAccess', {})

/** Call it when the grants of tags to roles changed. */
export const refreshContentAccess = (client: QueryClient, org: string): Promise<unknown> =>
  Promise.all(
    (['listAvailableTags', 'listAssignedTags', 'getContentAccess'] as const).map(name =>
      client.invalidateQueries({ queryKey: keyFor(org, `visibility.${name}`) }),
    ),
  )

/** Call it when members or teams changed. */
export const refreshPeople = (client: QueryClient, org: string): Promise<unknown> => {
  refreshPages(client, keyFor(org, 'members.listMembers'))
  return client.invalidateQueries({ queryKey: keyFor(org, 'members.listTeams') })
}

/** `?tab=teams`; otherwise members. */
export const showsTeams = (query: URLSearchParams): boolean => query.get('tab') === 'teams'
