import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { LoadingOverlay } from './loading-overlay.tsx'
import './bars/borrowed-bar.css'

const ImpersonationBar = lazy(() => import('./bars/impersonation-bar.tsx'))

export function RootLayout() {
  const { actsAs } = useFacts()
  return (
    <>
      {actsAs === null ? null : (
        <Suspense>
          <ImpersonationBar name={actsAs} />
        </Suspense>
      )}
      <Outlet />
      <LoadingOverlay />
    </>
  )
}
