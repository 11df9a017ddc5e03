import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { useIsAlive } from '#client/ui/page/is-alive.ts'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { FlowSummary } from '#shared/flows/api.ts'
import { readTriggers } from '#shared/flows/exchange.ts'
import type { FlowNames } from '#shared/flows/names.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { clockTime, dayWord, shortDate } from '#shared/kernel/time.ts'
import { Mark } from './canvas/mark.tsx'
import { StatusChip } from './status-chip.tsx'
import { triggerText } from './words.ts'
import '#client/ui/controls/switch-row.css'

export interface FlowActions {
  duplicate(flow: FlowSummary): void
  setPaused(flow: FlowSummary, isPaused: boolean): void
  save(flow: FlowSummary): void
  /** The position among all flows, from 0. */
  moveTo(flow: FlowSummary, place: number): void
  remove(flow: FlowSummary): void
}

function When({ at }: { readonly at: string }) {
  const { t, i18n } = useTranslation('flows')
  const { now, timeZone } = useMoment()
  const word = dayWord(at, now, timeZone)
  return (
    <time dateTime={at}>
      {word
        ? t(`when.${word}`, { time: clockTime(at, timeZone) })
        : shortDate(at, isLanguage(i18n.language) ? i18n.language : 'es', timeZone)}
    </time>
  )
}

/** A part of the runs, in words and as a bar. */
function Share({ of, part, whole }: { readonly of: string; readonly part: number; readonly whole: number }) {
  const { i18n } = useTranslation('flows')
  if (!whole) return '–'
  return (
    <>
      {new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 }).format(part / whole)}
      <svg className="flow-share" data-of={of} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect width={(100 * part) / whole} height="4" />
      </svg>
    </>
  )
}

/** The drag handle, which also moves the row with the arrow keys. */
function Place({
  flow,
  place,
  isLast,
  onDrag,
  actions,
}: Omit<FlowRowProps, 'actions'> & { readonly actions: FlowActions }) {
  const { t } = useTranslation('flows')
  // A drag before hydration cannot be replayed, so the row is draggable only after it.
  const isAlive = useIsAlive()
  const label = t('place', { name: flow.name, place: place + 1 })
  return (
    <button
      type="button"
      className="flow-place fine"
      draggable={isAlive}
      aria-label={label}
      data-tip={t('placeHint')}
      onDragStart={({ dataTransfer, currentTarget }) => {
        dataTransfer.effectAllowed = 'move'
        dataTransfer.setData('text/plain', flow.name)
        const row = currentTarget.closest('tr')
        if (row) dataTransfer.setDragImage(row, 16, 28)
        onDrag(flow)
      }}
      onDragEnd={() => onDrag(undefined)}
      onKeyDown={event => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
        if (!by) return
        event.preventDefault()
        if (by < 0 ? place > 0 : !isLast) actions.moveTo(flow, place + by)
      }}
    >
      <Mark name="grip" />
      {place + 1}
    </button>
  )
}

interface FlowRowProps {
  readonly flow: FlowSummary
  readonly names: Pick<FlowNames, 'tags'>
  /** Among all flows, from 0. */
  readonly place: number
  readonly isLast: boolean
  /** The position of the dragged row. */
  readonly dragged: number | undefined
  onDrag(flow: FlowSummary | undefined): void
  /** The dragged row was dropped here. */
  onDrop(): void
  /** Absent: read-only. */
  readonly actions: FlowActions | undefined
}

export function FlowRow(props: FlowRowProps) {
  const { flow, names, place, isLast, dragged, onDrop, actions } = props
  const [isOver, setOver] = useState(false)
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const navigate = useNavigate()
  const { name, state, week } = flow
  const triggers = readTriggers(flow.triggers).map(one => triggerText(t, one, names))
  const isTarget = dragged !== undefined && dragged !== place && isOver
  return (
    <tr
      data-drop={isTarget ? (dragged < place ? 'below' : 'above') : undefined}
      data-dragged={dragged === place || undefined}
      onDragOver={event => {
        if (dragged === undefined) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        onDrop()
      }}
    >
      <th scope="row">
        {actions ? <Place {...props} actions={actions} /> : null}
        <Link className="row-link cut" to={paths.flow(slug, flow.id)}>
          {name}
        </Link>
        <small className="cut flow-row-edited">
          <span className="sr-only">{t('column.edited')}: </span>
          <When at={flow.editedAt} />
          {flow.editedBy ? ` · ${flow.editedBy}` : null}
        </small>
      </th>
      <td>
        <StatusChip flow={flow} />
        {flow.limitedAt ? (
          <span className="chip chip-amber" data-tip={t('limited.says')}>
            {t('limited.short')}
          </span>
        ) : null}
      </td>
      <td className="flow-cell-triggers">
        <span className="cut" title={triggers.join(' · ')}>
          {triggers.join(' · ') || t('triggerText.none')}
        </span>
      </td>
      <td className="flow-cell-number" data-after={t('card.runs', { count: week.started })}>
        {state === 'draft' ? (
          week.started
        ) : (
          <Link to={paths.flowRuns(slug, flow.id)} aria-label={`${week.started}, ${t('runs.open')}`}>
            {week.started}
          </Link>
        )}
      </td>
      <td className="flow-cell-number" data-none={!week.started} data-after={t('card.completed')}>
        <Share of="completed" part={week.finished} whole={week.started} />
      </td>
      <td className="flow-cell-number" data-none={!week.started} data-after={t('card.handedOff')}>
        <Share of="handedOff" part={week.handedOff} whole={week.started} />
      </td>
      <td className="flow-cell-edited">
        <When at={flow.editedAt} />{' '}
        <small className="cut" dir="auto">
          {flow.editedBy}
        </small>
      </td>
      {actions ? (
        <td className="flow-cell-actions">
          {state === 'draft' ? null : (
            <input
              type="checkbox"
              role="switch"
              className="switch"
              aria-label={t('isOn', { name })}
              data-tip={t(state === 'live' ? 'pause' : 'enable')}
              checked={state === 'live'}
              aria-checked={state === 'live'}
              onChange={() => actions.setPaused(flow, state === 'live')}
            />
          )}
          <RowMenu
            label={t('actionsOf', { name })}
            items={() => (
              <>
                {state === 'draft' ? null : (
                  <>
                    <MenuItem onClick={() => void navigate(paths.flowRuns(slug, flow.id))}>{t('runs.open')}</MenuItem>
                    <MenuItem onClick={() => actions.setPaused(flow, state === 'live')}>
                      {t(state === 'live' ? 'pause' : 'enable')}
                    </MenuItem>
                  </>
                )}
                <MenuItem onClick={() => actions.duplicate(flow)}>{t('duplicate')}</MenuItem>
                <MenuItem onClick={() => actions.save(flow)}>{t('export')}</MenuItem>
                {place === 0 ? null : (
                  <MenuItem onClick={() => actions.moveTo(flow, place - 1)}>{t('moveUp')}</MenuItem>
                )}
                {isLast ? null : <MenuItem onClick={() => actions.moveTo(flow, place + 1)}>{t('moveDown')}</MenuItem>}
                <MenuItem danger onClick={() => actions.remove(flow)}>
                  {t('remove')}
                </MenuItem>
              </>
            )}
          />
        </td>
      ) : null}
    </tr>
  )
}
