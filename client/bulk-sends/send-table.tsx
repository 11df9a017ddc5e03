import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { When } from '#client/templates/words.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { BulkDraft } from '#shared/bulk-sends/drafts.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { figuresOfSend, sendFigures } from '#shared/bulk-sends/states.ts'
import { paths } from '#shared/kernel/paths.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { AudienceBrief } from './audience-words.tsx'
import { DraftRow } from './draft-row.tsx'
import { OutcomeBar, useShare } from './outcomes.tsx'
import { mayRepeat } from './report/repeat-link.tsx'
import { SendName } from './send-name.tsx'
import { useStartOf } from './start-time.tsx'
import { hasEnded, peopleOf, StateChip, settledOf, useFigure } from './words.tsx'

/** Shows the time at which a scheduled send starts. */
function StartTime({ send: { startsAt, localStart } }: { send: BulkSend }) {
  const { t } = useTranslation('bulk-sends')
  const { language } = useFacts()
  const { timeZone } = useMoment()
  if (localStart !== null)
    return (
      <span className="bulk-start">
        {shortTime(`${localStart}Z`, language, 'UTC')} <small>{t('when.ofEach')}</small>
      </span>
    )
  return startsAt === null ? null : (
    <time className="bulk-start" dateTime={startsAt}>
      {shortTime(startsAt, language, timeZone)}
    </time>
  )
}

function SendRow({ send }: { send: BulkSend }) {
  const { t } = useTranslation('bulk-sends')
  const startOf = useStartOf()
  const { slug } = useOrg()
  const navigate = useNavigate()
  const { counts } = send
  const say = useFigure()
  const share = useShare()
  const began = send.startedAt !== null
  const start = send.state === 'scheduled' ? startOf(send, shortTime) : undefined
  const figures = figuresOfSend(counts)
  return (
    <tr>
      <th scope="row" className="bulk-name">
        <Link className="row-link" to={paths.bulkSend(slug, send.id)} dir="auto">
          <SendName name={send.name} />
        </Link>
        {send.name.startsWith(send.template.name) ? null : (
          <small className="cut" dir="auto">
            {send.template.name}
          </small>
        )}
      </th>
      <td className="bulk-state">
        <StateChip send={send} />
        {began ? (
          <>
            <OutcomeBar send={send} />
            <small>{t('progress', { settled: settledOf(send), count: peopleOf(send) })}</small>
          </>
        ) : start ? (
          <small className="bulk-starts">{t('startsOn', { when: start })}</small>
        ) : null}
      </td>
      <td className="bulk-whom">
        <div className="bulk-audience" dir="auto">
          <AudienceBrief audience={send.audience} />
        </div>
        <small className="cut">
          {t('count.people', { count: peopleOf(send) })}
          {counts.omitted ? ` · ${t('result.omitted', { count: counts.omitted })}` : null}
        </small>
      </td>
      {sendFigures.map(name => (
        <td
          key={name}
          className={began ? 'bulk-figure' : 'bulk-figure bulk-no-figure'}
          data-figure={name}
          data-name={t(`column.${name}`)}
          data-bad={(name === 'failed' && counts.failed > 0) || undefined}
        >
          {began ? say(figures[name]) : '–'}
          {name === 'failed' && counts.unconfirmed ? (
            <small>{t('result.unconfirmed', { count: counts.unconfirmed })}</small>
          ) : name !== 'failed' ? (
            <small>{share(figures, name)}</small>
          ) : null}
        </td>
      ))}
      <td className="bulk-date">
        {start ? <StartTime send={send} /> : <When at={send.startedAt ?? send.createdAt} />}
        <small className="cut">{t(began ? 'by.sent' : 'by.created', { name: send.createdBy })}</small>
      </td>
      <td className="bulk-actions">
        <RowMenu
          label={t('actionsOf', { name: send.name })}
          items={() => (
            <>
              <MenuItem onClick={() => void navigate(paths.bulkSend(slug, send.id))}>{t('do.open')}</MenuItem>
              {mayRepeat(send) ? (
                <MenuItem onClick={() => void navigate(paths.bulkRepeat(slug, send.id))}>{t('repeat.link')}</MenuItem>
              ) : null}
            </>
          )}
        />
      </td>
    </tr>
  )
}

interface SendTableProps {
  /** Newest first. */
  readonly sends: readonly BulkSend[]
  readonly drafts: readonly BulkDraft[]
}

/** Sends with their figures; drafts below those that are not over yet. On narrow screens each row is a few lines. */
export function SendTable({ sends, drafts }: SendTableProps) {
  const { t } = useTranslation('bulk-sends')
  const begunFirst = sends.findLastIndex(send => !hasEnded(send)) + 1
  const hasFigures = sends.some(({ startedAt }) => startedAt !== null)
  return (
    <>
      <table className="bulk-sends" aria-label={t('title')}>
        <thead>
          <tr>
            <th scope="col">{t('column.send')}</th>
            <th scope="col" className="bulk-state">
              {t('column.state')}
            </th>
            <th scope="col" className="bulk-whom">
              {t('column.audience')}
            </th>
            {sendFigures.map(name => (
              <th key={name} scope="col" className="bulk-figure" data-figure={name}>
                {t(`column.${name}`)}
              </th>
            ))}
            <th scope="col" className="bulk-date">
              {t('column.when')}
            </th>
            <th scope="col" className="bulk-actions">
              <span className="sr-only">{t('column.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sends.slice(0, begunFirst).map(send => (
            <SendRow key={send.id} send={send} />
          ))}
          {drafts.map(draft => (
            <DraftRow key={draft.id} draft={draft} />
          ))}
          {sends.slice(begunFirst).map(send => (
            <SendRow key={send.id} send={send} />
          ))}
        </tbody>
      </table>
      {hasFigures ? <p className="field-hint">{t('figuresSay')}</p> : null}
    </>
  )
}
