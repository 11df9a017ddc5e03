import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { downloadCsv } from '#client/ui/files/save-csv.ts'
import { Menu } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { shortDate, shortTime } from '#shared/kernel/time.ts'
import type { StatsExport } from '#shared/stats/export.ts'
import type { ShowPart, StatsFilter } from '#shared/stats/filter.ts'
import { filterIn } from '../queries.ts'
import { exportsQuery } from './queries.ts'
import './exports.css'

/** Runs a call that changes the list, then asks for it again; a failure is said in a toast. */
function useChange(): readonly [isBusy: boolean, change: (call: () => Promise<unknown>) => void] {
  const { slug } = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [isBusy, run] = useTransition()
  const change = (call: () => Promise<unknown>) => {
    if (isBusy) return
    run(async () => {
      try {
        await call()
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
      await client.invalidateQueries({ queryKey: exportsQuery(slug).queryKey })
    })
  }
  return [isBusy, change]
}

/** Returns the title of an export: its days, or that it shows the current state. */
function useTitle() {
  const { t } = useTranslation('stats')
  const { language } = useFacts()
  const day = (date: string) => shortDate(`${date}T12:00:00.000Z`, language, 'UTC')
  return ({ from, to }: StatsExport) => {
    if (!from || !to) return t('export.now')
    return from === to ? day(from) : t('export.range', { from: day(from), to: day(to) })
  }
}

function Entry({ one }: { readonly one: StatsExport }) {
  const { t } = useTranslation('stats')
  const { language, timeZone } = useFacts()
  const api = useApi()
  const [isBusy, change] = useChange()
  const title = useTitle()(one)
  const number = new Intl.NumberFormat(language)
  const { id, state, failure, rows, done, isOwn, unknown, createdAt, expiresAt, url } = one
  const says = {
    running: () =>
      rows === null
        ? t('export.counting')
        : t('export.progress', { done: number.format(done), rows: number.format(rows) }),
    done: () => t('export.done', { count: done, until: shortDate(expiresAt ?? createdAt, language, timeZone) }),
    stopped: () => t('export.stopped'),
    failed: () => t(`export.failure.${failure ?? 'broken'}`),
  }[state]()
  return (
    <li>
      <div className="stats-export">
        <strong>{title}</strong>
        <small>
          {[shortTime(createdAt, language, timeZone), says, isOwn ? t('export.own') : ''].filter(Boolean).join(' · ')}
          {unknown.length
            ? ` · ${t('summary.unknown', { what: unknown.map(name => t(`summary.filter.${name}`)).join(', ') })}`
            : ''}
        </small>
        {state === 'running' ? (
          <progress
            aria-label={`${title}: ${says}`}
            {...(rows === null ? {} : { max: Math.max(1, rows), value: done })}
          />
        ) : null}
      </div>
      {state === 'running' ? (
        <button
          type="button"
          className="button"
          aria-disabled={isBusy}
          onClick={() => change(() => api.statsExport.stop({ params: { id } }))}
        >
          {t('export.stop')}
        </button>
      ) : (
        <>
          {url ? (
            <a className="button" href={url} download>
              <Icon name="download" />
              {t('export.download')}
            </a>
          ) : null}
          <button
            type="button"
            className="icon-button"
            aria-label={t('export.remove', { title })}
            aria-disabled={isBusy}
            onClick={() => change(() => api.statsExport.remove({ params: { id } }))}
          >
            <Icon name="trash" />
          </button>
        </>
      )}
    </li>
  )
}

/** A block of the statistics as a file, in the menu. */
export function CsvItem({ name }: { readonly name: 'figures' | 'days' }) {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const api = useApi()
  const failureText = useFailureText()
  const [query] = useSearchParams()
  const fetchFile = () =>
    downloadCsv(`${slug}-${t(`export.file.${name}`)}`, () =>
      api.stats.exportBlock({ params: { name }, query: filterIn(query) }),
    ).catch((error: unknown) => void toast(failureText(error), { kind: 'error' }))
  return (
    <button type="button" data-item="" className="menu-item" onClick={() => void fetchFile()}>
      <Icon name="download" />
      {t(`export.${name}`)}
    </button>
  )
}

/** Begins a file of what a page counts, and shows the files that there are: how far each is, and where it is downloaded. */
export function ExportMenu({
  filter,
  children,
}: {
  readonly filter: StatsFilter & ShowPart
  /** Other files of the page. */
  readonly children?: ReactNode
}) {
  const { t } = useTranslation('stats')
  const { slug, role } = useOrg()
  const api = useApi()
  const [isBusy, change] = useChange()
  const items = useOptionalAnswer(exportsQuery(slug))?.items ?? []
  const exportsAll = roleCan(effectiveRole(role), 'data:export')
  if (!exportsAll && !roleCan(effectiveRole(role), 'chat:reply')) return null
  const isRunning = items.some(({ state }) => state === 'running')
  return (
    <>
      {items.length ? (
        <p className="sr-only" role="status">
          {isRunning ? t('export.running') : items[0]?.state === 'done' ? t('export.ready') : ''}
        </p>
      ) : null}
      <Menu
        role="group"
        label={t('export.title')}
        className="button"
        panelClass="stats-exports"
        side="below-end"
        button={
          <>
            <Icon name="download" />
            {isRunning ? t('export.busy') : t('export.menu')}
            <Icon name="chevron" />
          </>
        }
      >
        {() => (
          <>
            <button
              type="button"
              data-item=""
              className="menu-item stats-exports-begin"
              aria-disabled={isBusy || isRunning}
              onClick={event => {
                // The menu stays open and shows the file as it grows.
                event.stopPropagation()
                if (!isRunning) change(() => api.statsExport.begin({ body: filter }))
              }}
            >
              <Icon name="download" />
              <span>
                {t('export.begin')}
                <small>{t(exportsAll ? 'export.hint' : 'export.hintOwn')}</small>
              </span>
            </button>
            {children}
            {items.length ? (
              <ul>
                {items.map(one => (
                  <Entry key={one.id} one={one} />
                ))}
              </ul>
            ) : null}
          </>
        )}
      </Menu>
    </>
  )
}
