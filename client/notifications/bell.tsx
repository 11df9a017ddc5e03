import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { maxUnreadShown } from '#shared/notifications/api.ts'
import { listQuery, summaryQuery } from './queries.ts'
import { NotificationWatch } from './watch.tsx'
import './bell.css'

const bellId = 'notifications'
const loadPanel = () => import('./panel.tsx').then(module => module.default)
type Panel = Awaited<ReturnType<typeof loadPanel>>

/** Red with a number when something is unread, grey when all is read, nothing without notifications. */
function Badge({ org }: { org: string }) {
  const { t } = useTranslation('notifications')
  const { unread, any } = useAnswer(summaryQuery(org))
  if (!any) return null
  if (unread === 0) return <span className="bell-badge bell-badge-read" aria-hidden="true" />
  return (
    <>
      <span className="bell-badge bell-badge-unread" aria-hidden="true">
        {unread > maxUnreadShown ? `${maxUnreadShown}+` : unread}
      </span>
      <span className="sr-only">{t('unread', { count: unread })}</span>
    </>
  )
}

/** Placeholder rows with the same geometry. */
const Skeleton = () => (
  <div className="bell-list" aria-busy="true">
    {[0, 1, 2].map(row => (
      <span key={row} className="skeleton skeleton-rows bell-skeleton" />
    ))}
  </div>
)

/** The bell and its list. The list loads when the bell is about to be opened. */
export function Bell() {
  const { t } = useTranslation('notifications')
  const { slug } = useOrg()
  const client = useQueryClient()
  const [wanted, setWanted] = useState(false)
  // The list is mounted before it opens and until it has closed: the browser returns focus to the bell only while focus
  // is still inside.
  const watch = useCallback((panel: HTMLElement | null) => {
    const opens = (event: Event) => {
      if ((event as ToggleEvent).newState === 'open') setWanted(true)
    }
    const closed = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') setWanted(false)
    }
    // It may have been opened before the page's scripts ran.
    if (panel?.matches(':popover-open')) setWanted(true)
    panel?.addEventListener('beforetoggle', opens)
    panel?.addEventListener('toggle', closed)
    return () => {
      panel?.removeEventListener('beforetoggle', opens)
      panel?.removeEventListener('toggle', closed)
    }
  }, [])
  // Not `lazy`: React would keep the fallback for 300 ms even if the code is loaded.
  const [Panel, setPanel] = useState<Panel>()
  const load = useCallback(
    () =>
      loadPanel().then(
        panel => setPanel(() => panel),
        // If preloading fails, opening the bell retries and shows the skeleton meanwhile.
        () => undefined,
      ),
    [],
  )
  useEffect(() => {
    if (wanted && !Panel) void load()
  }, [wanted, Panel, load])
  useEffect(() => {
    if (!('requestIdleCallback' in window)) return
    const idle = requestIdleCallback(() => void load(), { timeout: 10_000 })
    return () => cancelIdleCallback(idle)
  }, [load])
  const prepare = () => {
    if (!Panel) void load()
    void client.prefetchQuery(listQuery(slug))
  }
  const close = () => document.getElementById(bellId)?.hidePopover()
  return (
    <>
      <NotificationWatch />
      <button
        type="button"
        className="icon-button bell"
        popoverTarget={bellId}
        title={t('title')}
        onPointerEnter={prepare}
        onFocus={prepare}
      >
        <Icon name="bell" />
        <span className="sr-only">{t('title')}</span>
        <Suspense fallback={null}>
          <Badge org={slug} />
        </Suspense>
      </button>
      <section id={bellId} ref={watch} popover="auto" className="bell-panel" aria-label={t('title')}>
        {wanted && Panel ? <Panel key={slug} org={slug} skeleton={<Skeleton />} close={close} /> : null}
        {wanted && !Panel ? (
          <>
            <header className="bell-head line">
              <h2>{t('title')}</h2>
            </header>
            <Skeleton />
          </>
        ) : null}
      </section>
    </>
  )
}
