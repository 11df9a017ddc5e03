import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { useAddressPart } from '#client/app/address/use-address-part.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { nameOfNumber } from '#client/app/number-name.ts'
import { keyFor, start } from '#client/app/queries/queries.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { ClearFilters, NoneFound } from '#client/ui/feedback/none-found.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { type Delivery, deliveriesKeptDays, maxReplayed } from '#shared/deliveries/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { exactTime } from '#shared/kernel/time.ts'
import { type DeliveriesFilter, deliveriesQuery, readDeliveriesFilter } from './queries.ts'
import './page.css'

const RawDialog = lazyDialog(() => import('./raw-dialog.tsx'))

export const loader = (args: LoaderFunctionArgs) =>
  start(args, deliveriesQuery(args.params.org ?? '', readDeliveriesFilter(new URL(args.request.url).searchParams)))

const tones = {
  waiting: 'chip chip-blue',
  applied: 'chip chip-green',
  notUnderstood: 'chip chip-amber',
  failed: 'chip chip-red',
} as const satisfies Record<Delivery['state'], string>

/** Processes deliveries again, and says how many. */
const useReplay = () => {
  const { t } = useTranslation('deliveries')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [isWorking, work] = useTransition()
  const replay = (ids: readonly string[]) =>
    work(async () => {
      try {
        let count = 0
        for (let from = 0; from < ids.length; from += maxReplayed)
          count += (await api.deliveries.replay({ body: { ids: ids.slice(from, from + maxReplayed) } })).replayed
        toast(t('replayed', { count }), { kind: 'success' })
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
      await client.invalidateQueries({ queryKey: keyFor(slug, 'deliveries.list') })
    })
  return { isWorking, replay: (ids: readonly string[]) => (isWorking ? undefined : replay(ids)) }
}

/** True if something of the event was not done, so that it is processed again more often than others. */
const needsReplay = ({ state, kept }: Delivery) => state === 'failed' || state === 'notUnderstood' || kept.length > 0

interface RowProps {
  readonly delivery: Delivery
  readonly isPicked: boolean
  onPick(isPicked: boolean): void
  onRaw(): void
  onReplay(): void
}

function Row({ delivery, isPicked, onPick, onRaw, onReplay }: RowProps) {
  const { t, i18n } = useTranslation('deliveries')
  const { timeZone } = useFacts()
  const { slug } = useOrg()
  // Absent while there is only one, which needs no name.
  const numbers = useOptionalAnswer(wabaQuery(slug))?.numbers
  const { id, at, number, state, kinds, statuses, customers, kept, note, bytes } = delivery
  /** A name that Meta added since stays as it came. */
  const wordOf = (kind: string) => t(`kind.${kind}` as 'kind.message', kind)
  const contentOf = (kind: string) =>
    kind === 'status' && statuses.length
      ? t('statusOf', { statuses: statuses.map(status => t(`status.${status}`)).join(', ') })
      : wordOf(kind)
  const time = exactTime(at, i18n.language === 'en' ? 'en' : 'es', timeZone)
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={t('pick', { time })}
          checked={isPicked}
          onChange={({ target }) => onPick(target.checked)}
        />
      </td>
      <td>
        <time dateTime={at}>{time}</time>
        {number && numbers ? <small dir="auto">{nameOfNumber(numbers, number)}</small> : null}
      </td>
      <td>
        {kinds.map(contentOf).join(', ') || t('large')}
        <small>{t('bytes', { count: bytes })}</small>
      </td>
      <td>
        {customers.map(({ name, address }) => (
          <div key={address ?? name} className="cut">
            {address === null ? (
              <bdi>{name}</bdi>
            ) : (
              <Link to={paths.chat(slug, address)}>
                <bdi>{name}</bdi>
              </Link>
            )}
          </div>
        ))}
      </td>
      <td>
        <span className={tones[state]}>{t(`state.${state}`)}</span>
        {kept.length ? <small>{t('kept', { names: kept.map(wordOf).join(', ') })}</small> : null}
        {state === 'failed' && note ? (
          <small className="deliveries-note" dir="auto">
            {note}
          </small>
        ) : null}
      </td>
      <td>
        <span className="deliveries-actions line">
          <button type="button" className="link" aria-label={t('rawOf', { time })} onClick={onRaw}>
            {t('raw')}
          </button>
          {needsReplay(delivery) ? (
            <button type="button" className="link" aria-label={t('replayOf', { time, id })} onClick={onReplay}>
              {t('replay')}
            </button>
          ) : (
            <RowMenu
              label={t('actionsOf', { time, id })}
              items={() => <MenuItem onClick={onReplay}>{t('replay')}</MenuItem>}
            />
          )}
        </span>
      </td>
    </tr>
  )
}

interface FiltersProps {
  readonly filter: DeliveriesFilter
  /** Something is listed below, and nothing else clears the filters. */
  readonly hasFound: boolean
  readonly children: ReactNode
}

function Filters({ filter, hasFound, children }: FiltersProps) {
  const { t } = useTranslation('deliveries')
  const { slug } = useOrg()
  const [, put] = useAddressPart()
  const numbers = useOptionalAnswer(wabaQuery(slug))?.numbers ?? []
  return (
    <div className="filter-row">
      <label>
        <span className="sr-only">{t('filter.state')}</span>
        <select value={filter.state ?? ''} onChange={({ target }) => put('state', target.value)}>
          <option value="">{t('filter.all')}</option>
          <option value="notUnderstood">{t('state.notUnderstood')}</option>
          <option value="failed">{t('state.failed')}</option>
        </select>
      </label>
      {numbers.length > 1 ? (
        <label>
          <span className="sr-only">{t('filter.number')}</span>
          <select value={filter.number ?? ''} onChange={({ target }) => put('number', target.value)}>
            <option value="">{t('filter.anyNumber')}</option>
            {numbers.map(({ phone }) => (
              <option key={phone} value={phone} dir="auto">
                {nameOfNumber(numbers, phone)}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {hasFound && Object.keys(filter).length ? <ClearFilters all={paths.deliveries(slug)} /> : null}
      {children}
    </div>
  )
}

function Found({ filter }: { readonly filter: DeliveriesFilter }) {
  const { t } = useTranslation('deliveries')
  const { slug } = useOrg()
  const list = useSuspensePages(deliveriesQuery(slug, filter))
  const items = list.data.pages.flatMap(page => page.items)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [raw, setRaw] = useState<string>()
  const { isWorking, replay } = useReplay()
  const chosen = items.filter(({ id }) => picked.has(id)).map(({ id }) => id)
  const pick = (id: string, isPicked: boolean) => {
    const next = new Set(picked)
    if (isPicked) next.add(id)
    else next.delete(id)
    setPicked(next)
  }
  const areAllPicked = items.length > 0 && chosen.length === items.length
  if (!items.length && filter.state === undefined && filter.number === undefined)
    return <Empty icon="clock" says={t('none')} />
  return (
    <>
      <Filters filter={filter} hasFound={items.length > 0}>
        {chosen.length ? (
          <button
            type="button"
            className="button button-primary filter-end"
            aria-disabled={isWorking}
            onClick={() => {
              replay(chosen)
              setPicked(new Set())
            }}
          >
            {t('replayPicked', { count: chosen.length })}
          </button>
        ) : null}
      </Filters>
      {items.length ? (
        <div className="table-scroll">
          <table className="table deliveries" aria-label={t('title')}>
            <thead>
              <tr>
                <th scope="col">
                  <input
                    type="checkbox"
                    aria-label={t('pickAll')}
                    checked={areAllPicked}
                    onChange={() => setPicked(new Set(areAllPicked ? [] : items.map(({ id }) => id)))}
                  />
                </th>
                <th scope="col">{t('column.when')}</th>
                <th scope="col">{t('column.kinds')}</th>
                <th scope="col">{t('column.customer')}</th>
                <th scope="col">{t('column.state')}</th>
                <th scope="col">
                  <span className="sr-only">{t('column.do')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map(delivery => (
                <Row
                  key={delivery.id}
                  delivery={delivery}
                  isPicked={picked.has(delivery.id)}
                  onPick={isPicked => pick(delivery.id, isPicked)}
                  onRaw={() => setRaw(delivery.id)}
                  onReplay={() => replay([delivery.id])}
                />
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <NoneFound says={t('noneSuch')} all={paths.deliveries(slug)} />
      )}
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
      {raw ? <RawDialog id={raw} onClose={() => setRaw(undefined)} /> : null}
    </>
  )
}

/** `/org/{slug}/deliveries`: webhooks of WhatsApp as they came; `?number=&state=`. */
export default function DeliveriesPage() {
  const { t } = useTranslation('deliveries')
  const [query] = useSearchParams()
  const filter = readDeliveriesFilter(query)
  return (
    <section className="card" aria-label={t('title')}>
      <SheetHead as="h2" isInBar title={t('title')}>
        {t('text', { count: deliveriesKeptDays })}
      </SheetHead>
      <Suspense fallback={<div className="skeleton skeleton-rows deliveries-skeleton" aria-hidden="true" />}>
        <Found key={JSON.stringify(filter)} filter={filter} />
      </Suspense>
    </section>
  )
}
