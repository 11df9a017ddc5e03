import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { MenuItem } from '#client/ui/menu.tsx'
import { useMoment } from '#client/ui/moment.tsx'
import { RowMenu } from '#client/ui/row-menu.tsx'
import { readTriggers } from '#shared/flow-exchange.ts'
import type { FlowSummary } from '#shared/flows.ts'
import { isLanguage } from '#shared/language.ts'
import { paths } from '#shared/paths.ts'
import { clockTime, dayWord, longDate } from '#shared/time.ts'
import { StatusChip } from './status-chip.tsx'
import { type FlowNames, triggerText } from './words.ts'

export interface FlowActions {
  duplicate(flow: FlowSummary): void
  setPaused(flow: FlowSummary, isPaused: boolean): void
  save(flow: FlowSummary): void
  move(flow: FlowSummary, by: -1 | 1): void
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
        : longDate(at, isLanguage(i18n.language) ? i18n.language : 'es', timeZone)}
    </time>
  )
}

const shareOf = (part: number, whole: number): string => (whole ? `${Math.round((part / whole) * 100)} %` : '–')

interface FlowRowProps {
  readonly flow: FlowSummary
  readonly names: Pick<FlowNames, 'tags'>
  readonly isFirst: boolean
  readonly isLast: boolean
  /** Absent: reads only. */
  readonly actions: FlowActions | undefined
}

export function FlowRow({ flow, names, isFirst, isLast, actions }: FlowRowProps) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const navigate = useNavigate()
  const { name, state, week } = flow
  const triggers = readTriggers(flow.triggers).map(one => triggerText(t, one, names))
  return (
    <tr>
      <th scope="row">
        <Link className="cut" to={paths.flow(slug, flow.id)}>
          {name}
        </Link>
      </th>
      <td>
        <StatusChip flow={flow} />
      </td>
      <td className="flow-cell-triggers">
        <span className="cut" title={triggers.join(' · ')}>
          {triggers.join(' · ') || t('triggerText.none')}
        </span>
      </td>
      <td className="flow-cell-number" data-label={t('column.runs')}>
        {week.started}
      </td>
      <td className="flow-cell-number" data-label={t('column.completed')}>
        {shareOf(week.finished, week.started)}
      </td>
      <td className="flow-cell-number" data-label={t('column.handedOff')}>
        {shareOf(week.handedOff, week.started)}
      </td>
      <td className="flow-cell-edited">
        <When at={flow.editedAt} />
        <small className="cut">{flow.editedBy}</small>
      </td>
      {actions ? (
        <td className="flow-cell-actions">
          <RowMenu
            label={t('actionsOf', { name })}
            items={() => (
              <>
                {state === 'draft' ? null : (
                  <MenuItem onClick={() => void navigate(paths.flowRuns(slug, flow.id))}>{t('runs.open')}</MenuItem>
                )}
                {state === 'draft' ? null : (
                  <MenuItem onClick={() => actions.setPaused(flow, state === 'live')}>
                    {t(state === 'live' ? 'pause' : 'enable')}
                  </MenuItem>
                )}
                <MenuItem onClick={() => actions.duplicate(flow)}>{t('duplicate')}</MenuItem>
                <MenuItem onClick={() => actions.save(flow)}>{t('export')}</MenuItem>
                {isFirst ? null : <MenuItem onClick={() => actions.move(flow, -1)}>{t('moveUp')}</MenuItem>}
                {isLast ? null : <MenuItem onClick={() => actions.move(flow, 1)}>{t('moveDown')}</MenuItem>}
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
