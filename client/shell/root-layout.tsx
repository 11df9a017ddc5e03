import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router'
import { useFacts } from '../app/facts.ts'
import { LoadingOverlay } from './loading-overlay.tsx'
import './borrowed-bar.css'

const BorrowedBar = lazy(() => import('./borrowed-bar.tsx'))

/** Around every page. */
export function RootLayout() {
  const { actsAs } = useFacts()
  return (
    <>
      {actsAs === null ? null : (
        <Suspense>
          <BorrowedBar name={actsAs} />
        </Suspense>
      )}
      <Outlet />
      <LoadingOverlay />
    </>
  )
}
