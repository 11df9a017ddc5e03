import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { shortTime } from '#shared/kernel/time.ts'
import type { SentItem } from '#shared/stats/cost.ts'
import { useFacts } from '../../app/facts.ts'
import { start } from '../../app/queries.ts'
import { useSuspensePages } from '../../app/use-paged-list.ts'
import { useOrg } from '../../shell/viewer.ts'
import { selectionIn, sentQuery } from './queries.ts'
import '../summary.css'

export const loader = (args: LoaderFunctionArgs) =>
  start(args, sentQuery(args.params.org ?? '', selectionIn(new URL(args.request.url).searchParams)))

function Row({ item }: { readonly item: SentItem }) {
  const { t } = useTranslation('stats')
  const { language, timeZone } = useFacts()
  const { slug, role } = useOrg()
  const { address, name, at, state, replied, template, category, charge } = item
  const canOpen = address !== null && roleCan(effectiveRole(role), 'chat:read')
  return (
    <tr>
      <th scope="row" dir="auto">
        {canOpen ? <Link to={paths.chat(slug, address)}>{name}</Link> : (name ?? t('list.erased'))}
      </th>
      <td data-label={t('blocks.column.sentAt')}>
        <time dateTime={at}>{shortTime(at, language, timeZone)}</time>
      </td>
      <td data-label={t('blocks.column.message')}>{template ?? t('blocks.source.reply')}</td>
      <td data-label={t('blocks.column.category')}>{t(`blocks.category.${category}`)}</td>
      <td data-label={t('blocks.column.charge')}>{t(`blocks.charge.${charge}`)}</td>
      <td>{replied ? t('blocks.column.repliedOne') : t(`blocks.messages.state.${state}`)}</td>
    </tr>
  )
}

function Rows() {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const [query] = useSearchParams()
  const list = useSuspensePages(sentQuery(slug, selectionIn(query)))
  const items = list.data.pages.flatMap(page => page.items)
  const total = list.data.pages[0]?.total ?? 0
  if (!items.length) return <Empty icon="chart" says={t('blocks.messages.none')} />
  const columns = ['sentAt', 'message', 'category', 'charge', 'state'] as const
  return (
    <section className="card" aria-label={t('blocks.messages.title')}>
      <p role="status">{t('blocks.messages.total', { count: total })}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={t('blocks.messages.title')}>
        <table className="table stats-list">
          <thead>
            <tr>
              <th scope="col">{t('list.customer')}</th>
              {columns.map(name => (
                <th scope="col" key={name}>
                  {t(`blocks.column.${name}`)}
                </th>
              ))}
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

/** `/org/{slug}/stats/messages`: those that a figure counts. */
export default function StatsMessagesPage() {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const [query] = useSearchParams()
  const { outcome = 'sent', template, category } = selectionIn(query)
  const back = new URLSearchParams(query)
  for (const name of ['template', 'category', 'country', 'charge', 'outcome']) back.delete(name)
  return (
    <main className="sheet stats-sheet">
      <SheetHead title={t('blocks.messages.title')}>
        {[
          template,
          !template && category ? t(`blocks.category.${category}`) : null,
          t(`blocks.messages.outcome.${outcome}`),
        ]
          .filter(Boolean)
          .join(' · ')}
      </SheetHead>
      <p>
        <Link to={`${paths.stats(slug)}?${back}`}>{t('list.back')}</Link>
      </p>
      <Suspense fallback={<div className="skeleton" aria-hidden="true" />}>
        <Rows />
      </Suspense>
    </main>
  )
}
