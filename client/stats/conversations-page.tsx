import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { durationText } from '#shared/stats/duration.ts'
import type { SegmentItem } from '#shared/stats/summary.ts'
import { useFacts } from '../app/facts.ts'
import { start } from '../app/queries.ts'
import { useSuspensePages } from '../app/use-paged-list.ts'
import { useOrg } from '../shell/viewer.ts'
import { Exports } from './export/exports.tsx'
import { filterIn, segmentsQuery, showIn } from './queries.ts'
import './summary.css'

const asked = (query: URLSearchParams) => ({ ...filterIn(query), ...showIn(query) })

export const loader = (args: LoaderFunctionArgs) =>
  start(args, segmentsQuery(args.params.org ?? '', asked(new URL(args.request.url).searchParams)))

function Row({ item }: { readonly item: SegmentItem }) {
  const { t, i18n } = useTranslation('stats')
  const { timeZone } = useFacts()
  const { slug, role } = useOrg()
  const { address, name, tags, owner, team, startedAt, firstResponseMs, waitMs, messagesIn, messagesOut, state } = item
  const canOpen = address !== null && roleCan(effectiveRole(role), 'chat:read')
  const time = (ms: number | null) => (ms === null ? '—' : durationText(ms))
  return (
    <tr>
      <th scope="row" dir="auto">
        {canOpen ? <Link to={paths.chat(slug, address)}>{name}</Link> : (name ?? t('list.erased'))}
        {tags.length ? <span className="field-hint">{tags.join(', ')}</span> : null}
      </th>
      <td data-label={t('list.startedAt')}>
        <time dateTime={startedAt}>{shortTime(startedAt, i18n.language as Language, timeZone)}</time>
      </td>
      <td data-label={t('list.owner')} dir="auto">
        {[owner, team].filter(Boolean).join(' · ') || '—'}
      </td>
      <td data-label={t('summary.column.firstResponse')}>{time(firstResponseMs)}</td>
      <td data-label={t('list.wait')}>{time(waitMs)}</td>
      <td data-label={t('list.messages')}>{t('list.inOut', { in: messagesIn, out: messagesOut })}</td>
      <td>{t(`list.state.${state}`)}</td>
    </tr>
  )
}

function Rows() {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const [query] = useSearchParams()
  const list = useSuspensePages(segmentsQuery(slug, asked(query)))
  const items = list.data.pages.flatMap(page => page.items)
  const total = list.data.pages[0]?.total ?? 0
  if (!items.length) return <Empty icon="chart" says={t('list.none')} />
  return (
    <section className="card" aria-label={t('list.title')}>
      <p role="status">{t('list.total', { count: total })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={t('list.title')}>
        <table className="table stats-list">
          <thead>
            <tr>
              <th scope="col">{t('list.customer')}</th>
              <th scope="col">{t('list.startedAt')}</th>
              <th scope="col">{t('list.owner')}</th>
              <th scope="col">{t('summary.column.firstResponse')}</th>
              <th scope="col">{t('list.wait')}</th>
              <th scope="col">{t('list.messages')}</th>
              <th scope="col">{t('list.stateTitle')}</th>
            </tr>
          </thead>
          <tbody>
            {items.map(item => (
              <Row key={item.id} item={item} />
            ))}
          </tbody>
        </table>
      </section>
      <MoreButton list={list} more={t('costs.more')} failed={t('costs.moreFailed')} />
    </section>
  )
}

/** `/org/{slug}/stats/conversations` lists the conversations that a figure counts. */
export default function StatsConversationsPage() {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const [query] = useSearchParams()
  const { show } = showIn(query)
  const back = new URLSearchParams(query)
  for (const name of ['show', 'bucket', 'weekday', 'hour', 'answeredBy']) back.delete(name)
  return (
    <main className="sheet stats-sheet">
      <SheetHead title={t('list.title')}>{t(`list.show.${show ?? 'attended'}`)}</SheetHead>
      <p>
        <Link to={`${paths.stats(slug)}?${back}`}>{t('list.back')}</Link>
      </p>
      <Exports filter={asked(query)} />
      <Suspense fallback={<div className="skeleton" aria-hidden="true" />}>
        <Rows />
      </Suspense>
    </main>
  )
}
