import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { start } from '#client/app/queries/queries.ts'
import { findOrg, requireViewer, useOrg } from '#client/shell/viewer.ts'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { effectiveRole, type OrgRole, roleCan } from '#shared/kernel/permissions.ts'
import { Blocks } from './blocks/blocks.tsx'
import { blockQueries, costBlockQuery, rangeIn } from './blocks/queries.ts'
import { Cost } from './cost/cost.tsx'
import { CsvItem, ExportMenu } from './export/exports.tsx'
import { exportsQuery } from './export/queries.ts'
import { FilterBar } from './filter-bar.tsx'
import { PlannedCosts } from './planned-costs.tsx'
import { filterIn, summaryQuery } from './queries.ts'
import { reportQuery } from './report/queries.ts'
import { Report } from './report/report.tsx'
import { Summary } from './summary.tsx'
import { StatsTabs } from './tabs.tsx'
import './print.css'
import './stats.css'

/** The role decides what is shown: billing sees costs and no conversations. */
const parts = (role: OrgRole) => ({
  showsInbox: roleCan(role, 'stats:read'),
  showsCosts: roleCan(role, 'cost:read'),
})

export const loader = async (args: LoaderFunctionArgs) => {
  const org = args.params.org ?? ''
  const { showsInbox, showsCosts } = parts(effectiveRole(findOrg(await requireViewer(args), org)?.role))
  return start(
    args,
    ...(showsInbox
      ? [
          summaryQuery(org, filterIn(new URL(args.request.url).searchParams)),
          ...blockQueries(org, new URL(args.request.url).searchParams),
          exportsQuery(org),
          reportQuery(org),
        ]
      : []),
    ...(showsCosts ? [costBlockQuery(org, rangeIn(new URL(args.request.url).searchParams))] : []),
  )
}

/** `/org/{slug}/stats`: how customers were attended, and costs of bulk sends. */
export default function StatsPage() {
  const { t } = useTranslation('stats')
  const { role } = useOrg()
  const [query] = useSearchParams()
  const { showsInbox, showsCosts } = parts(effectiveRole(role))
  return (
    <main className="sheet stats-sheet">
      <SheetHead
        title={t('title')}
        actions={
          showsInbox ? (
            <ExportMenu filter={filterIn(query)}>
              <CsvItem name="figures" />
              <CsvItem name="days" />
            </ExportMenu>
          ) : null
        }
      />
      {showsInbox ? (
        <>
          <StatsTabs />
          <FilterBar />
          <Suspense fallback={<div className="skeleton stats-skeleton" aria-hidden="true" />}>
            <Summary showsCosts={showsCosts} />
          </Suspense>
          <Blocks />
        </>
      ) : (
        <FilterBar hasOnlyDays />
      )}
      {showsCosts ? (
        <Suspense fallback={<div className="skeleton stats-block-skeleton" aria-hidden="true" />}>
          <Cost />
        </Suspense>
      ) : null}
      {showsCosts ? <PlannedCosts /> : null}
      {showsInbox ? (
        <Suspense fallback={<div className="skeleton" aria-hidden="true" />}>
          <Report />
        </Suspense>
      ) : null}
    </main>
  )
}
