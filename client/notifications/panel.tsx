import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { usePages } from '#client/app/queries/use-paged-list.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { ownTimeZone } from '#client/ui/text/own-time-zone.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import type { Notification } from '#shared/notifications/api.ts'
import { useMarkAllViewed, useMarkViewed } from './marking.ts'
import { destinationOf, listQuery } from './queries.ts'
import { clock12, daysAgo } from './time.ts'

function Time({ at }: { at: string }) {
  const { t, i18n } = useTranslation('notifications')
  // The server's time plus what passed since the page loaded: the browser's clock may be wrong.
  const { now: loadedAt, timeZone: knownZone } = useFacts()
  // Drawn by the browser alone; on its first page, the server did not know its zone yet.
  const timeZone = ownTimeZone() || knownZone
  const time = clock12(at, isLanguage(i18n.language) ? i18n.language : 'es', timeZone)
  const count = daysAgo(at, loadedAt + performance.now(), timeZone)
  return <time dateTime={at}>{count === 0 ? t('time.today', { time }) : t('time.days', { time, count })}</time>
}

interface ItemProps {
  readonly org: string
  readonly one: Notification
  readonly mark: (id: string) => void
  readonly close: () => void
}

function Item({ org, one, mark, close }: ItemProps) {
  const { t } = useTranslation('notifications')
  const to = destinationOf(org, one.redirect)
  const inside = (
    <>
      <strong dir="auto">
        {one.viewed ? null : (
          <span className="bell-dot">
            <span className="sr-only">{t('isUnread')}</span>
          </span>
        )}
        {one.about?.name ?? one.title}
      </strong>
      {one.about?.said ? (
        <span className="bell-said" dir="auto">
          {one.about.said}
        </span>
      ) : null}
      <span className="small" dir="auto">
        {one.message}
      </span>
      <small className="fine">
        {one.about ? `${one.title} · ` : null}
        <Time at={one.createdAt} />
      </small>
    </>
  )
  const open = () => {
    close()
    if (!one.viewed) mark(one.id)
  }
  return (
    <li className={one.viewed ? 'bell-item' : 'bell-item bell-item-unread'}>
      {to ? (
        <Link className="bell-open" to={to} onClick={open}>
          {inside}
        </Link>
      ) : (
        <div className="bell-open">{inside}</div>
      )}
      <button
        type="button"
        className="icon-button bell-mark"
        disabled={one.viewed}
        aria-label={t('mark', { title: one.title, message: one.message })}
        title={t('markShort')}
        onClick={() => mark(one.id)}
      >
        <Icon name={one.viewed ? 'ticks' : 'tick'} />
      </button>
    </li>
  )
}

interface PanelProps {
  readonly org: string
  readonly skeleton: ReactNode
  readonly close: () => void
}

/** The bell's list: newest first, more on demand. */
export default function Panel({ org, skeleton, close }: PanelProps) {
  const { t } = useTranslation('notifications')
  const { t: common } = useTranslation('common')
  const textOf = useFailureText()
  const list = usePages(listQuery(org))
  const markOne = useMarkViewed(org)
  const markAll = useMarkAllViewed(org)
  const region = useRef<HTMLElement>(null)
  // A row that moved while its page was loading is there twice.
  const all = [...new Map((list.data?.pages.flat() ?? []).map(one => [one.id, one])).values()]
  const newest = all[0]
  // A button that becomes disabled must not take the focus with it.
  const keepFocus = () => region.current?.focus()

  const mark = (id: string) => {
    keepFocus()
    markOne.mutate(id)
  }
  return (
    <>
      <header className="bell-head line">
        <h2>{t('title')}</h2>
        {newest && all.some(one => !one.viewed) ? (
          <button
            type="button"
            className="bell-all"
            onClick={() => {
              keepFocus()
              markAll.mutate(newest.id)
            }}
          >
            {t('markAll')}
          </button>
        ) : null}
      </header>
      {list.isPending ? (
        skeleton
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard, also when nothing in it is a button
        <section ref={region} className="bell-list" aria-label={t('list')} tabIndex={0}>
          {newest ? (
            <ul>
              {all.map(one => (
                <Item key={one.id} org={org} one={one} mark={mark} close={close} />
              ))}
            </ul>
          ) : list.isError ? null : (
            <p className="bell-empty stack-m">
              <Icon name="bell" />
              {t('empty')}
            </p>
          )}
          {list.isError ? (
            <div className="bell-fault stack-l" role="alert">
              <p>{textOf(list.error)}</p>
              <button type="button" className="button" onClick={() => void list.refetch()}>
                {common('retry')}
              </button>
            </div>
          ) : list.hasNextPage ? (
            <button
              type="button"
              className="bell-more"
              disabled={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              {list.isFetchingNextPage ? common('loading') : list.isFetchNextPageError ? common('retry') : t('more')}
            </button>
          ) : null}
        </section>
      )}
    </>
  )
}
