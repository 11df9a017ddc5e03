import { Suspense, use, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { UNSAFE_DataRouterContext, useLocation, useSearchParams } from 'react-router'
import { useViewer } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/icon.tsx'
import { useMoment } from '#client/ui/moment.tsx'
import { useSuspensePages } from '#client/use-paged-list.ts'
import type { Language } from '#shared/language.ts'
import { useDrafts } from './drafts.ts'
import { EmptyList } from './empty-list.tsx'
import { NumberFilter } from './number-filter.tsx'
import { useNumbers } from './numbers.ts'
import { conversationsQuery, filterOf, flatConversations, type ListFilter } from './queries.ts'
import { Rows } from './rows.tsx'

const searchAfterMs = 250
const skeletonRows = 9

const RowsSkeleton = ({ label }: { label: string }) => (
  <div className="rows" role="status" aria-label={label}>
    {Array.from({ length: skeletonRows }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical and never moved
      <div className="row row-skeleton" key={i}>
        <span className="avatar" />
        <span className="skeleton" />
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
    ))}
  </div>
)

interface ListProps {
  org: string
  openPhone: string | undefined
}

const ListBody = ({ org, openPhone, filter }: ListProps & { filter: ListFilter }) => {
  const { t, i18n } = useTranslation('inbox')
  const { now, timeZone } = useMoment()
  const drafts = useDrafts(org)
  const numbers = useNumbers(org)
  const userId = useViewer().user.id
  const { search } = useLocation()
  const query = useSuspensePages(conversationsQuery(org, filter))
  const conversations = flatConversations(query.data)
  if (!conversations.length) return <EmptyList org={org} filter={filter} t={t} />
  const foot = query.isFetchNextPageError
    ? t('list.failed')
    : query.isFetchingNextPage
      ? t('list.more')
      : query.hasNextPage || conversations.length < skeletonRows
        ? null
        : t('list.end')
  return (
    <Rows
      conversations={conversations}
      openPhone={openPhone}
      drafts={drafts}
      slug={org}
      filter={search}
      now={now}
      timeZone={timeZone}
      language={i18n.language as Language}
      t={t}
      numbers={numbers}
      userId={userId}
      label={t('list.label')}
      hasMore={query.hasNextPage}
      loadingMore={query.isFetchingNextPage}
      onMore={() => void query.fetchNextPage()}
      foot={foot}
    />
  )
}

/** Typing waits a moment before the address changes; the address is what is shown, so a reload keeps the search. */
const useSearchField = () => {
  const [address, setAddress] = useSearchParams()
  const shown = filterOf(address).search
  const [typed, setTyped] = useState(shown)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setTyped(shown), [shown])
  useEffect(() => () => clearTimeout(timer.current), [])
  const { key } = useLocation()
  const shownKey = useRef(key)
  shownKey.current = key
  const router = use(UNSAFE_DataRouterContext)?.router
  /** Asked of the router itself: what React has drawn of a press may come later than this. */
  const isOpening = () =>
    router !== undefined && (router.state.navigation.state !== 'idle' || router.state.location.key !== shownKey.current)
  const show = (value: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      // A chat that was pressed meanwhile is opened first; a new address would call that off.
      if (isOpening()) return show(value)
      setAddress(
        before => {
          const next = new URLSearchParams(before)
          if (value.trim()) next.set('q', value.trim())
          else next.delete('q')
          return next
        },
        { replace: true, preventScrollReset: true },
      )
    }, searchAfterMs)
  }
  const type = (value: string) => {
    setTyped(value)
    show(value)
  }
  return { typed, type }
}

/** The list of conversations with its search and its two lanes. */
export const ConversationList = ({ org, openPhone }: ListProps) => {
  const { t } = useTranslation('inbox')
  const [address, setAddress] = useSearchParams()
  const filter = useDeferredValue(filterOf(address))
  const { typed, type } = useSearchField()
  const show = (archived: boolean) =>
    setAddress(
      before => {
        const next = new URLSearchParams(before)
        if (archived) next.set('archived', '1')
        else next.delete('archived')
        return next
      },
      { preventScrollReset: true },
    )
  return (
    <section className="inbox-list" aria-label={t('list.label')}>
      <div className="list-search">
        <search className="search">
          <Icon name="search" />
          <input
            type="search"
            value={typed}
            placeholder={t('list.search')}
            aria-label={t('list.searchLabel')}
            maxLength={200}
            onChange={event => type(event.target.value)}
          />
          {typed ? (
            <button
              type="button"
              className="icon-button icon-button-s"
              aria-label={t('list.clear')}
              onClick={() => type('')}
            >
              <Icon name="close" />
            </button>
          ) : null}
        </search>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms; these buttons choose what is shown */}
      <div className="lanes" role="group" aria-label={t('list.filterLabel')}>
        <button type="button" className="lane" aria-pressed={!filter.archived} onClick={() => show(false)}>
          {t('list.inbox')}
        </button>
        <button type="button" className="lane" aria-pressed={filter.archived} onClick={() => show(true)}>
          {t('list.archived')}
        </button>
        <Suspense>
          <NumberFilter org={org} shown={filter.number} t={t} />
        </Suspense>
      </div>
      <Suspense fallback={<RowsSkeleton label={t('list.loading')} />}>
        <ListBody org={org} openPhone={openPhone} filter={filter} />
      </Suspense>
    </section>
  )
}
