import { Outlet } from 'react-router'
import { LoadingOverlay } from './loading-overlay.tsx'

/** Around every page. */
export function RootLayout() {
  return (
    <>
      <Outlet />
      <LoadingOverlay />
    </>
  )
}
