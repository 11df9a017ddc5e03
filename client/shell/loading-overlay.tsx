import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from 'react-router'
import { useIsLeaving } from './session-life.ts'
import { viewerQuery } from './viewer.ts'

/** Delays the spinner, because most sessions load faster. */
const graceMs = 300

const Overlay = ({ children }: { children: ReactNode }) => (
  <div className="loading-overlay" role="status">
    <span className="loading-mark" aria-hidden="true" />
    {children}
  </div>
)

/**
 * Covers the screen while a navigation waits for the session, and while a session ends. Not needed on the server, whose
 * guard runs before the first byte.
 */
export function LoadingOverlay() {
  const { t } = useTranslation('loaderDark')
  const client = useQueryClient()
  const { location } = useNavigation()
  const isLeaving = useIsLeaving()
  const waits =
    Boolean(location?.pathname.startsWith('/org/')) && client.getQueryData(viewerQuery.queryKey) === undefined
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!waits) return setLate(false)
    const timer = setTimeout(() => setLate(true), graceMs)
    return () => clearTimeout(timer)
  }, [waits])
  if (isLeaving) return <Overlay>{t('leaving')}</Overlay>
  return waits && isLate ? <Overlay>{t('caption')}</Overlay> : null
}
