import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { start } from '#client/app/queries/queries.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { NoneFound } from '#client/ui/feedback/none-found.tsx'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { apiCallsKeptDays, apiCallsKeptPerKey } from '#shared/api-calls/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { Calls } from './calls.tsx'
import { Filters, RefreshButton } from './filters.tsx'
import { type CallsFilter, callsQuery, readCallsFilter } from './queries.ts'
import './calls.css'

export const loader = (args: LoaderFunctionArgs) =>
  start(args, callsQuery(args.params.org ?? '', readCallsFilter(new URL(args.request.url).searchParams)))

function Found({ filter }: { readonly filter: CallsFilter }) {
  const { t } = useTranslation('api-calls')
  const { slug } = useOrg()
  const list = useSuspensePages(callsQuery(slug, filter))
  const { pages } = list.data
  const calls = pages.flatMap(page => page.items)
  const isFiltered = filter.errors !== undefined || filter.key !== undefined
  if (!calls.length && !isFiltered)
    return (
      <Empty
        icon="plug"
        says={t('none')}
        action={
          pages[0]?.keys.length ? (
            <RefreshButton />
          ) : (
            <Link className="button button-primary" to={paths.apiKeys(slug)}>
              {t('createKey')}
            </Link>
          )
        }
      >
        {t('noneWhy')}
      </Empty>
    )
  return (
    <>
      <Filters filter={filter} keys={pages[0]?.keys ?? []} />
      {calls.length ? (
        <Calls calls={calls} />
      ) : (
        <NoneFound says={t(filter.key === undefined ? 'noErrors' : 'noneSuch')} all={paths.apiCalls(slug)} />
      )}
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
    </>
  )
}

/** `/org/{slug}/api-calls`: calls made with the organization's API keys; `?key=&errors=1`. */
export default function ApiCallsPage() {
  const { t } = useTranslation('api-calls')
  const [query] = useSearchParams()
  return (
    <section className="card" aria-label={t('title')}>
      <SheetHead as="h2" isInBar title={t('title')}>
        {t('text', { days: apiCallsKeptDays, each: apiCallsKeptPerKey })} <a href="/api/docs">{t('docs')}</a> ·{' '}
        <a href="/docs">{t('manual')}</a>
      </SheetHead>
      <Suspense fallback={<div className="skeleton skeleton-rows calls-skeleton" aria-hidden="true" />}>
        <Found filter={readCallsFilter(query)} />
      </Suspense>
    </section>
  )
}
