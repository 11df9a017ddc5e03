import { type FormEvent, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, replace, useSearchParams } from 'react-router'
import { start } from '#client/app/queries/queries.ts'
import { requireViewer } from '#client/shell/viewer.ts'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { auditKeptDays } from '#shared/audit/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { Entries } from './entries.tsx'
import { People } from './people.tsx'
import { entriesQuery, type PeopleFilter, peopleQuery, readPeopleFilter } from './queries.ts'
import '#client/shell/sheet.css'
import '#client/shell/opens.css'
import './site.css'

export const loader = async (args: LoaderFunctionArgs) => {
  const { user } = await requireViewer(args)
  if (user.role !== 'admin') throw replace(paths.unauthorized())
  return start(args, peopleQuery(readPeopleFilter(new URL(args.request.url).searchParams)), entriesQuery())
}

/** The page's filters, stored in the address. */
function Filters({ filter }: { filter: PeopleFilter }) {
  const { t } = useTranslation('site')
  const [, setQuery] = useSearchParams()
  const narrow = (next: PeopleFilter) =>
    setQuery(
      { ...(next.search ? { search: next.search } : {}), ...(next.banned ? { banned: 'true' } : {}) },
      { preventScrollReset: true, replace: true },
    )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const search = String(new FormData(event.currentTarget).get('search') ?? '').trim()
    narrow({ ...filter, search })
  }
  return (
    <search>
      <form className="site-filters wrap" onSubmit={submit}>
        <div className="field">
          <input
            type="search"
            name="search"
            maxLength={100}
            defaultValue={filter.search}
            aria-label={t('search')}
            placeholder={t('search')}
          />
        </div>
        {filter.banned ? <input type="hidden" name="banned" value="true" /> : null}
        <button type="submit" className="button">
          {t('find')}
        </button>
        <button
          type="button"
          className="button"
          aria-pressed={filter.banned === true}
          onClick={() => narrow({ ...filter, banned: !filter.banned })}
        >
          {t('onlyBanned')}
        </button>
      </form>
    </search>
  )
}

/** `/admin`: everybody with an account, for site administrators; `?search=&banned=true`. */
export default function SitePage() {
  const { t } = useTranslation('site')
  const [query] = useSearchParams()
  const filter = readPeopleFilter(query)
  return (
    <main className="sheet site">
      <nav>
        <Link className="link" to={paths.organizations()}>
          <Icon name="chevron" className="turn-left" />
          {t('back')}
        </Link>
      </nav>
      <SheetHead title={t('title')}>{t('text')}</SheetHead>
      <section className="card" aria-labelledby="people">
        <h2 id="people">{t('people')}</h2>
        <Filters key={filter.search ?? ''} filter={filter} />
        <Suspense fallback={<div className="skeleton skeleton-rows site-skeleton" aria-hidden="true" />}>
          <People filter={filter} />
        </Suspense>
      </section>
      <section className="card" aria-labelledby="done">
        <h2 id="done">{t('log.title')}</h2>
        <p>{t('log.text', { days: auditKeptDays })}</p>
        <Suspense fallback={<div className="skeleton skeleton-rows site-skeleton" aria-hidden="true" />}>
          <Entries />
        </Suspense>
      </section>
    </main>
  )
}
