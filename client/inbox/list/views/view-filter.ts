import { useTranslation } from 'react-i18next'
import { nameOfNumber } from '#client/app/number-name.ts'
import { useKnownAnswer, useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { nobody } from '#shared/inbox/conversations.ts'
import type { SavedView, ViewFilter } from '#shared/saved-views/api.ts'
import { type ListFilter, switches } from '../list-filter.ts'

/** The part of a filter that a view stores, without search words. */
export const viewFilter = (filter: ListFilter): ViewFilter => ({
  ...Object.fromEntries(switches.filter(name => filter[name]).map(name => [name, true])),
  // A view does not store another member: it would be empty once that member left.
  ...(filter.assignee === 'me' || filter.assignee === nobody ? { assignee: filter.assignee } : {}),
  ...(filter.number ? { number: filter.number } : {}),
  ...(filter.tags?.length ? { tags: [...filter.tags] } : {}),
})

/** True if the list shows just what the view holds. */
export const isShown = (filter: ListFilter, view: ViewFilter): boolean =>
  !filter.search &&
  filter.assignee === view.assignee &&
  filter.number === view.number &&
  switches.every(name => (filter[name] ?? false) === (view[name] ?? false)) &&
  [...(filter.tags ?? [])].sort().join() === [...(view.tags ?? [])].sort().join()

/** Changes the address of the list to show only a saved view. `{}`: everything. */
export const showView = (address: URLSearchParams, view: ViewFilter): void => {
  for (const name of [...switches, 'assignee', 'tag', 'number', 'q', 'within']) address.delete(name)
  for (const name of switches) if (view[name]) address.set(name, '1')
  if (view.assignee) address.set('assignee', view.assignee)
  if (view.number) address.set('number', view.number)
  for (const id of view.tags ?? []) address.append('tag', id)
}

/** Says what each of these filters holds. Names of tags come with the tags. */
export const useFilterWords = (org: string, filters: readonly ViewFilter[]): ((filter: ViewFilter) => string) => {
  const { t, i18n } = useTranslation('inbox')
  const enabled = filters.some(filter => filter.tags)
  const tags = useOptionalAnswer({ ...tagsQuery(org), enabled })?.items
  const numbers = useKnownAnswer(wabaQuery(org))?.numbers ?? []
  return filter => {
    const { assignee, number, tags: ids = [] } = filter
    const words = [
      ...switches.flatMap(name => (filter[name] ? t(`filter.${name}`) : [])),
      ...(assignee ? [t(`filter.${assignee}`)] : []),
      ...(number ? [nameOfNumber(numbers, number)] : []),
      ...ids.map(id => tags?.find(tag => tag.id === id)?.label ?? t(tags ? 'views.goneTag' : 'filter.tags')),
    ]
    return new Intl.ListFormat(i18n.language).format(words)
  }
}

/** Says what each of these views holds, and whose it is. */
export const useViewWords = (org: string, views: readonly SavedView[]): ((view: SavedView) => string) => {
  const { t } = useTranslation('inbox')
  const wordsOf = useFilterWords(
    org,
    views.map(({ filter }) => filter),
  )
  return ({ filter, shared }) => `${wordsOf(filter)} · ${t(shared ? 'views.ofAll' : 'views.onlyMine')}`
}
