import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { InParts } from '#client/app/calls/use-in-parts.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { startOfMinute } from '#shared/kernel/time.ts'
import { othersDrafts, useDraftsBeside } from '../composer/drafts/drafts.ts'
import { outgoingScope } from '../composer/outgoing.ts'
import { useInboxWords } from '../inbox-words.ts'
import { useNumbers } from '../numbers.ts'
import { conversationsQuery, flatConversations } from '../queries.ts'
import { EmptyList } from './empty-list.tsx'
import { useListSearch } from './list-address.ts'
import { type ListFilter, queryOf } from './list-filter.ts'
import { pickedWordId } from './rows/row.tsx'
import { Rows } from './rows/rows.tsx'
import { useMatching } from './selection/use-matching.ts'
import { usePicked } from './selection/use-picked.ts'

const SelectionBar = lazyDialog(() => import('./selection/selection-bar.tsx'))

/** A list with fewer rows says that it ends; the skeleton has as many. */
export const skeletonRows = 9

interface ListBodyProps {
  readonly org: string
  readonly openPhone: string | undefined
  readonly filter: ListFilter
  readonly parts: InParts
}

/** The filtered conversations, and the actions on those that are selected. */
export const ListBody = ({ org, openPhone, filter, parts }: ListBodyProps) => {
  const { t, i18n } = useInboxWords()
  const { now, timeZone } = useMoment()
  const numbers = useNumbers(org)
  const userId = useViewer().user.id
  const drafts = useDraftsBeside(outgoingScope(org, userId), openPhone)
  const others = othersDrafts.use(outgoingScope(org, userId))
  const search = useListSearch()
  const query = useSuspensePages(conversationsQuery(org, filter, userId))
  const conversations = flatConversations(query.data)
  const client = useQueryClient()
  // Times have minute precision, so rows are not re-rendered within a minute.
  const minute = startOfMinute(now)
  const isTimed = filter.closing || filter.overdue
  // biome-ignore lint/correctness/useExhaustiveDependencies: time alone brings rows in and takes them out
  useEffect(() => {
    const { queryKey } = conversationsQuery(org, filter, userId)
    if (isTimed) void client.invalidateQueries({ queryKey, exact: true })
  }, [minute])
  const role = effectiveRole(useOrg().role)
  const asked = queryOf(filter, userId)
  const selection = usePicked(conversations, search, t)
  const { picked } = selection
  const { matching, find, forget } = useMatching(search, asked, t)
  const clear = () => {
    selection.clear()
    forget()
  }
  const follow = (rows: readonly Conversation[]) => selection.follow(rows, asked)
  // Those that are not loaded are in no query of the page.
  useEvents({ conversation: ({ conversation }) => follow([conversation]) }, () => undefined)
  // All loaded rows may have left, and more may still come.
  if (!conversations.length && !query.hasNextPage) return <EmptyList org={org} filter={filter} t={t} />
  const foot = query.isFetchNextPageError
    ? t('list.failed')
    : query.isFetchingNextPage
      ? t('list.more')
      : query.hasNextPage || conversations.length < skeletonRows
        ? null
        : t('list.end')
  const rows = (
    <Rows
      conversations={conversations}
      picked={picked}
      onPick={roleCan(role, 'chat:reply') ? selection.pick : undefined}
      openPhone={openPhone}
      drafts={drafts}
      others={others}
      slug={org}
      filter={search}
      now={minute}
      timeZone={timeZone}
      language={i18n.language as Language}
      t={t}
      numbers={numbers}
      userId={userId}
      label={t('list.label')}
      hasMore={query.hasNextPage}
      loadingMore={query.isFetchingNextPage}
      moreFailed={query.isFetchNextPageError}
      onMore={() => void query.fetchNextPage()}
      foot={foot}
    />
  )
  return (
    <>
      {query.data.pages.some(page => page.stale) ? (
        <p className="list-stale" role="status">
          {t('list.stale')}
        </p>
      ) : null}
      {picked.length ? (
        <>
          <span id={pickedWordId} hidden>
            {t('select.picked')}
          </span>
          <SelectionBar
            org={org}
            picked={picked}
            parts={parts}
            canManage={roleCan(role, 'member:manage')}
            matching={matching}
            onShown={() => {
              selection.pickShown()
              if (query.hasNextPage) void find()
            }}
            onMatching={selection.pickMatching}
            onChanged={follow}
            onClear={clear}
            onClose={clear}
          />
        </>
      ) : null}
      {rows}
    </>
  )
}
