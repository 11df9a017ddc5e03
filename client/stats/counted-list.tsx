import { type ComponentProps, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { paths } from '#shared/kernel/paths.ts'
import './summary.css'

interface CountedPageProps {
  readonly title: string
  /** The name of the figure that the list belongs to. */
  readonly says: string
  /** Parameters of the address that name the figure, and not the range or the filter. */
  readonly figureParts: readonly string[]
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The frame of a page that lists what a figure counts. */
export function CountedPage({ title, says, figureParts, actions, children }: CountedPageProps) {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const [query] = useSearchParams()
  const back = new URLSearchParams(query)
  for (const name of figureParts) back.delete(name)
  return (
    <main className="sheet stats-sheet">
      <SheetHead title={title} actions={actions}>
        {says} <Link to={`${paths.stats(slug)}?${back}`}>{t('list.back')}</Link>
      </SheetHead>
      <Suspense fallback={<div className="skeleton" aria-hidden="true" />}>{children}</Suspense>
    </main>
  )
}

interface CountedListProps<T> {
  readonly title: string
  readonly list: ComponentProps<typeof MoreButton>['list'] & {
    readonly data: { readonly pages: readonly { readonly items: readonly T[]; readonly total: number }[] }
  }
  readonly none: string
  total(count: number): string
  readonly columns: readonly string[]
  row(item: T): ReactNode
}

/** Shows what a figure counts, as a sum and as a table. */
export function CountedList<T>({ title, list, none, total, columns, row }: CountedListProps<T>) {
  const { t } = useTranslation('stats')
  const items = list.data.pages.flatMap(page => page.items)
  if (!items.length) return <Empty icon="chart" says={none} />
  return (
    <section className="card" aria-label={title}>
      <p role="status">{total(list.data.pages[0]?.total ?? 0)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={t('tableOf', { name: title })}>
        <table className="table stats-list">
          <thead>
            <tr>
              {columns.map(column => (
                <th scope="col" key={column}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{items.map(row)}</tbody>
        </table>
      </section>
      <MoreButton list={list} more={t('costs.more')} failed={t('costs.moreFailed')} />
    </section>
  )
}
