import { type KeyboardEvent, lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useInParts } from '#client/app/calls/use-in-parts.ts'
import { loadPart } from '#client/app/hydration/missing-part.ts'
import { usePageCommands } from '#client/palette/page-commands.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { isComposing } from '#client/ui/controls/composing.ts'
import { PartsProgress } from '#client/ui/feedback/parts-progress.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { maxChatsAtOnce } from '#shared/inbox/chat-changes.ts'
import { searchMaxChars } from '#shared/inbox/conversations.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { useInboxWords } from '../inbox-words.ts'
import { ListBody, skeletonRows } from './list-body.tsx'
import { isNarrowed, isSearch, readListFilter } from './list-filter.ts'
import { ListFilters } from './list-filters.tsx'
import { useSearchField } from './search/use-search-field.ts'

const NewChatDialog = lazyDialog(() => import('./new-chat-dialog.tsx'))
const SearchNarrow = lazy(() => loadPart(() => import('./search/search-narrow.tsx')))
const Results = lazy(() => loadPart(() => import('./search/results.tsx')))

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

/** Text in the empty search field. It names the chat that is searched alone, unless another chat is open. */
const placeholderOf = (within: string | undefined, openPhone: string | undefined) => {
  if (!within || (openPhone && openPhone !== within)) return 'list.search'
  return openPhone ? 'search.placeholderHere' : 'search.placeholderOne'
}

/** Moves the focus from the field into the offered values or the results. Escape clears the field. */
const leaveField = (event: KeyboardEvent<HTMLInputElement>, clear: () => void) => {
  if (isComposing(event.nativeEvent)) return
  if (event.key === 'Escape' && event.currentTarget.value) {
    event.preventDefault()
    return clear()
  }
  if (event.key !== 'ArrowDown') return
  const first = event.currentTarget.closest('.inbox-list')?.querySelector<HTMLElement>('.search-value, a.row, a.hit')
  if (!first) return
  event.preventDefault()
  first.focus()
}

/** The button that begins a chat, for members who may answer. */
const NewChat = ({ org }: { org: string }) => {
  const { t } = useInboxWords()
  const role = effectiveRole(useOrg().role)
  const [isOpen, setIsOpen] = useState(false)
  const canBegin = roleCan(role, 'chat:reply')
  usePageCommands(
    canBegin ? [{ id: 'newChat', title: t('newChat.label'), icon: 'plus', run: () => setIsOpen(true) }] : [],
  )
  if (!canBegin) return null
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={t('newChat.label')}
        aria-haspopup="dialog"
        data-tip={t('newChat.label')}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="plus" />
      </button>
      {isOpen ? <NewChatDialog org={org} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

/** The list of conversations with search and filters. */
export const ConversationList = ({ org, openPhone }: ListProps) => {
  const { t } = useInboxWords()
  const [address] = useSearchParams()
  const filter = useDeferredValue(readListFilter(address))
  const { typed, type } = useSearchField(openPhone)
  // Here, so that a change continues and can be stopped while the filters change.
  const parts = useInParts(maxChatsAtOnce)
  const field = useRef<HTMLInputElement>(null)
  const { within, search } = filter
  // With other filters, words narrow the list.
  const isSearching = !isNarrowed(filter) && typed.trim() !== ''
  const isAsked = within !== undefined && search === ''
  // A search in a chat starts in the focused field.
  useEffect(() => {
    if (isAsked) field.current?.focus()
  }, [isAsked])
  return (
    <section className="inbox-list column" aria-label={t('list.label')}>
      <div className="list-search line">
        <search className="search">
          <Icon name="search" />
          <input
            ref={field}
            type="search"
            dir="auto"
            value={typed}
            placeholder={t(placeholderOf(within, openPhone))}
            aria-label={t('list.searchLabel')}
            maxLength={searchMaxChars}
            onChange={event => type(event.target.value)}
            onKeyDown={event => leaveField(event, () => type(''))}
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
        <NewChat org={org} />
      </div>
      <ListFilters org={org} filter={readListFilter(address)} isSearching={isSearching} t={t} />
      {isSearching ? (
        <Suspense>
          <SearchNarrow
            org={org}
            typed={typed}
            within={filter.within}
            openPhone={openPhone}
            onType={text => {
              type(text)
              field.current?.focus()
            }}
          />
        </Suspense>
      ) : null}
      <Suspense fallback={<RowsSkeleton label={t('list.loading')} />}>
        {isSearch(filter) ? (
          <Results org={org} words={filter.search.trim()} within={filter.within} openPhone={openPhone} />
        ) : (
          <ListBody org={org} openPhone={openPhone} filter={filter} parts={parts} />
        )}
      </Suspense>
      <div className="list-progress">
        <PartsProgress parts={parts} says={progress => t('select.progress', { ...progress })} stop={t('select.stop')} />
      </div>
    </section>
  )
}
