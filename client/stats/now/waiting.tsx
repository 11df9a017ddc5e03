import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { answerDueIn } from '#shared/inbox/answer-due.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { startOfMinute } from '#shared/kernel/time.ts'
import { waitText } from '#shared/stats/duration.ts'
import type { PromiseState, StatsNow, WaitingCustomer } from '#shared/stats/now.ts'

const icons: { readonly [S in PromiseState]: IconName } = { inTime: 'clock', soon: 'clock', late: 'warn' }

function Promised({ row: { dueAt, since, state } }: { readonly row: WaitingCustomer }) {
  const { t } = useTranslation('stats')
  const { now } = useMoment()
  const due = dueAt === null ? undefined : answerDueIn(dueAt, startOfMinute(now), since)
  if (dueAt === null) return null
  // A wait that ran out since the answer came is late before the next answer says so.
  const shown = due?.isLate ? 'late' : state
  return (
    <span className="now-promise" data-state={shown}>
      <Icon name={icons[shown]} />
      {due ? t(due.isLate ? 'now.lateBy' : 'now.left', { time: due.time }) : t('now.lateLong')}
    </span>
  )
}

function Row({ row }: { readonly row: WaitingCustomer }) {
  const { t } = useTranslation('stats')
  const { slug, role } = useOrg()
  const { now } = useMoment()
  const { address, name, tags, said, since, owner, team } = row
  const canOpen = address !== null && roleCan(effectiveRole(role), 'chat:read')
  return (
    <tr>
      <th scope="row" dir="auto">
        {canOpen ? <Link to={paths.chat(slug, address)}>{name}</Link> : (name ?? t('list.erased'))}
        {tags.map(label => (
          <span className="chip" key={label} dir="auto">
            {label}
          </span>
        ))}
        {said ? (
          <span className="field-hint cut" dir="auto">
            {said}
          </span>
        ) : null}
      </th>
      <td data-label={t('now.column.wait')}>
        <time dateTime={since}>{waitText(startOfMinute(now) - Date.parse(since))}</time>
      </td>
      <td>
        <Promised row={row} />
      </td>
      <td data-label={t('now.column.who')} dir="auto">
        {owner ? (
          <>
            {owner.name ?? t('now.gone')}
            {owner.name !== null && !owner.isAvailable ? <em className="now-absent">, {t('now.notHere')}</em> : null}
          </>
        ) : (
          (team ?? t('now.nobodys'))
        )}
        {owner && team ? <span className="field-hint">{team}</span> : null}
      </td>
    </tr>
  )
}

/** The customers who have waited longest for a first response. */
export function Waiting({ answer }: { readonly answer: StatsNow }) {
  const { t } = useTranslation('stats')
  const { waiting, unattended } = answer
  return (
    <section className="card now-waiting" aria-labelledby="now-waiting">
      <div className="card-head">
        <h2 id="now-waiting">{t('now.waiting')}</h2>
        {unattended.count ? (
          <Link className="now-all" to={unattended.href}>
            {t('now.all', { count: unattended.count })}
          </Link>
        ) : null}
      </div>
      {waiting.length ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <section className="table-scroll" tabIndex={0} aria-label={t('tableOf', { name: t('now.waiting') })}>
          <table className="table stats-list now-table">
            <thead>
              <tr>
                <th scope="col">{t('now.column.customer')}</th>
                <th scope="col">{t('now.column.wait')}</th>
                <th scope="col">{t('now.column.promise')}</th>
                <th scope="col">{t('now.column.who')}</th>
              </tr>
            </thead>
            <tbody>
              {waiting.map(row => (
                <Row key={row.conversationId ?? row.since} row={row} />
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <Empty icon="tick" says={t('now.none')} />
      )}
      {unattended.count > waiting.length ? (
        <p className="field-hint">{t('now.showing', { shown: waiting.length })}</p>
      ) : null}
    </section>
  )
}
