import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnswer } from '#client/app/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { maxUnreadShown } from '#shared/notifications/api.ts'
import { listQuery, summaryQuery } from './queries.ts'
import { NotificationWatch } from './watch.tsx'
import './bell.css'

const bellId = 'notifications'
const loadPanel = () => import('./panel.tsx').then(module => module.default)
type Panel = Awaited<ReturnType<typeof loadPanel>>

/** Red with a number while something is unread, grey when all is read, nothing when there is nothing. */
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

/** Rows of the geometry that follows. */
const Skeleton = () => (
  <div className="bell-list" aria-busy="true">
    {[0, 1, 2].map(row => (
      <span key={row} className="skeleton bell-skeleton" />
    ))}
  </div>
)

/** The bell of the organization in the address, and the list that opens from it. The list loads when somebody is about to open it. */
export function Bell() {
  const { t } = useTranslation('notifications')
  const { slug } = useOrg()
  const client = useQueryClient()
  const [wanted, setWanted] = useState(false)
  // The list is there before the first frame that shows it, and until after the last: the browser gives the focus back
  // to the bell only while it still is inside.
  const watch = useCallback((panel: HTMLElement | null) => {
    const opens = (event: Event) => {
      if ((event as ToggleEvent).newState === 'open') setWanted(true)
    }
    const closed = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') setWanted(false)
    }
    // It opens without us: somebody may have been faster than the page's scripts.
    if (panel?.matches(':popover-open')) setWanted(true)
    panel?.addEventListener('beforetoggle', opens)
    panel?.addEventListener('toggle', closed)
    return () => {
      panel?.removeEventListener('beforetoggle', opens)
      panel?.removeEventListener('toggle', closed)
    }
  }, [])
  // No `lazy`: React would hold what follows a fallback back for 300 ms, also when it is there at once.
  const [Panel, setPanel] = useState<Panel>()
  const load = useCallback(
    () =>
      loadPanel().then(
        panel => setPanel(() => panel),
        // Fetched ahead, nobody misses it; who opens the bell asks again, and sees the skeleton meanwhile.
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
