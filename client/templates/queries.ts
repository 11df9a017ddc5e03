import type { QueryClient } from '@tanstack/react-query'
import { numberedRows, refreshPages } from '#client/app/queries/paged-list.ts'
import { keyFor, pagesFor, queryFor } from '#client/app/queries/queries.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import {
  type TemplateCategory,
  type TemplateQuality,
  type TemplateStatus,
  templateCategories,
  templateQualities,
  templateStatuses,
} from '#shared/templates/words.ts'

/** Filters of the list from its address. */
export interface TemplateFilters {
  readonly status?: TemplateStatus
  readonly category?: TemplateCategory
  readonly quality?: TemplateQuality
  readonly language?: string
  readonly search?: string
}

const oneOf = <T extends string>(words: readonly T[], value: string | null): T | undefined =>
  words.find(word => word === value)

/** Reads any address. Unknown values are ignored. */
export const filtersOf = (query: URLSearchParams): TemplateFilters => {
  const found = {
    status: oneOf(templateStatuses, query.get('status')),
    category: oneOf(templateCategories, query.get('category')),
    quality: oneOf(templateQualities, query.get('quality')),
    language: query.get('language')?.match(/^[a-z]{2,3}([_-][A-Za-z]{2,4})?$/)?.[0],
    search: query.get('search')?.trim().slice(0, 200) || undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

export const listQuery = (org: string, filters: TemplateFilters) =>
  pagesFor(
    org,
    'templates.list',
    { query: filters },
    { first: 1, next: last => (last.hasMore ? last.page + 1 : undefined), query: page => ({ page }), ...numberedRows },
  )
/** Templates of earlier accounts that the connected one lacks. */
export const earlierQuery = (org: string) =>
  pagesFor(
    org,
    'templates.listEarlier',
    { query: {} },
    { first: 1, next: last => (last.hasMore ? last.page + 1 : undefined), query: page => ({ page }), ...numberedRows },
  )
export const templateQuery = (org: string, id: string) => queryFor(org, 'templates.get', { params: { id } })
export const syncQuery = (org: string) => queryFor(org, 'templates.getSync', {})

/** `role` is as stored; an unknown one counts as viewer. */
export const editsTemplates = (role: string): boolean => roleCan(effectiveRole(role), 'template:edit')

/** A template was added, changed or deleted: reloads what is shown, except those that are `gone`. */
export async function refreshTemplates(client: QueryClient, org: string, gone: readonly string[] = []): Promise<void> {
  for (const list of ['templates.list', 'templates.listEarlier'] as const)
    for (const { queryKey } of client.getQueryCache().findAll({ queryKey: keyFor(org, list) }))
      refreshPages(client, queryKey)
  const isGone = (input: unknown) => gone.includes((input as { params?: { id: string } } | undefined)?.params?.id ?? '')
  await Promise.all([
    client.invalidateQueries({ queryKey: keyFor(org, 'templates.getSync') }),
    client.invalidateQueries({
      queryKey: keyFor(org, 'templates.get'),
      predicate: ({ queryKey: [, , input] }) => !isGone(input),
    }),
  ])
}
