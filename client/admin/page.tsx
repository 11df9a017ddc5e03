import { Suspense } from 'react'
import { type LoaderFunctionArgs, Outlet } from 'react-router'
import { start } from '#client/app/queries/queries.ts'
import { OrganizationCard } from './organization-card.tsx'
import { organizationQuery } from './queries.ts'
import './admin.css'

export const loader = (args: LoaderFunctionArgs) => start(args, organizationQuery(args.params.org ?? ''))

/** The frame of the administration: the organization and the tabs of its pages. */
export default function AdminPage() {
  return (
    <main className="sheet">
      <OrganizationCard />
      <Suspense fallback={<span className="skeleton skeleton-rows content-skeleton" />}>
        <Outlet />
      </Suspense>
    </main>
  )
}
