import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { factsContext, useFacts } from '#client/app/facts.ts'
import { start } from '#client/app/queries/queries.ts'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { auditKeptDays } from '#shared/audit/api.ts'
import { Entries } from './entries.tsx'
import { AuditExport } from './filters.tsx'
import { entriesQuery, readAuditFilter } from './queries.ts'
import './audit.css'

export const loader = (args: LoaderFunctionArgs) => {
  const { timeZone } = args.context.get(factsContext)
  const filter = readAuditFilter(new URL(args.request.url).searchParams, timeZone)
  return start(args, entriesQuery(args.params.org ?? '', filter))
}

/** `/org/{slug}/audit`: who changed what in the organization; `?person=&kind=&from=&to=`. */
export default function AuditPage() {
  const { t } = useTranslation('audit')
  const { timeZone } = useFacts()
  const [query] = useSearchParams()
  const filter = readAuditFilter(query, timeZone)
  return (
    <section className="card" aria-label={t('title')}>
      <SheetHead
        as="h2"
        title={t('title')}
        actions={
          <Suspense>
            <AuditExport filter={filter} />
          </Suspense>
        }
      >
        {t('text', { days: auditKeptDays })}
      </SheetHead>
      <Suspense fallback={<div className="skeleton skeleton-rows audit-skeleton" aria-hidden="true" />}>
        <Entries filter={filter} />
      </Suspense>
    </section>
  )
}
