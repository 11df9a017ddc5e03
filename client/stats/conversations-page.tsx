import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { start } from '#client/app/queries/queries.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { useOrg } from '#client/shell/viewer.ts'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { durationText } from '#shared/stats/duration.ts'
import type { SegmentItem } from '#shared/stats/summary.ts'
import { CountedList, CountedPage } from './counted-list.tsx'
import { ExportMenu } from './export/exports.tsx'
import { filterIn, segmentsQuery, showIn } from './queries.ts'

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
  return (
    <CountedList
      title={t('list.title')}
      list={useSuspensePages(segmentsQuery(slug, asked(query)))}
      none={t('list.none')}
      total={count => t('list.total', { count })}
      columns={[
        t('list.customer'),
        t('list.startedAt'),
        t('list.owner'),
        t('summary.column.firstResponse'),
        t('list.wait'),
        t('list.messages'),
        t('list.stateTitle'),
      ]}
      row={item => <Row key={item.id} item={item} />}
    />
  )
}

/** `/org/{slug}/stats/conversations` lists the conversations that a figure counts. */
export default function StatsConversationsPage() {
  const { t } = useTranslation('stats')
  const [query] = useSearchParams()
  return (
    <CountedPage
      title={t('list.title')}
      says={t(`list.show.${showIn(query).show ?? 'attended'}`)}
      figureParts={['show', 'bucket', 'weekday', 'hour', 'answeredBy']}
      actions={<ExportMenu filter={asked(query)} />}
    >
      <Rows />
    </CountedPage>
  )
}
