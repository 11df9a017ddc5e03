import { type Ref, useId, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { usePages } from '#client/app/queries/use-paged-list.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { BulkRecipient, BulkSendReport } from '#shared/bulk-sends/sends.ts'
import {
  figuresOfSend,
  outcomeStates,
  type RecipientOutcome,
  type RecipientState,
  recipientOutcomes,
} from '#shared/bulk-sends/states.ts'
import { paths } from '#shared/kernel/paths.ts'
import { recipientsQuery, type ShownPeople } from '../queries.ts'
import { useRecipientState } from '../words.tsx'
import { downloadReport } from './download-report.ts'

interface RowProps {
  readonly recipient: BulkRecipient
  readonly send: BulkSendReport
  readonly hasReasons: boolean
  readonly hasStates: boolean
}

/** The chip of a send that has not begun says what all of its planned recipients wait for. */
const isUnbegun = ({ startedAt }: BulkSendReport, state: RecipientState): boolean =>
  startedAt === null && state === 'planned'

function Row({ recipient, send, hasReasons, hasStates }: RowProps) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const sayState = useRecipientState(send)
  const { name, display, state, reason, chat } = recipient
  // Omitted, and the reader's role may not see who it is.
  const isHidden = state === 'omitted' && display === '' && reason?.code !== 'erased'
  const title = isHidden ? t('hidden') : (name ?? display)
  return (
    <tr>
      <td>{chat ? <Link to={paths.chat(slug, chat)}>{title}</Link> : title}</td>
      <td>{name ? display : null}</td>
      {hasStates ? <td>{isUnbegun(send, state) ? null : sayState(state)}</td> : null}
      {hasReasons ? <td>{reason?.message}</td> : null}
    </tr>
  )
}

/** Text of a group's reason. */
const useReason = ({ groups }: BulkSendReport, { state, reason }: ShownPeople): string | undefined => {
  const { t } = useTranslation('bulk-sends')
  if (reason === undefined) return undefined
  if (state === 'omitted') return t(`omission.${reason as 'duplicate'}`)
  return groups.find(group => group.state === state && group.reason === reason)?.message ?? reason
}

/** Returns the number of recipients that a figure counts. */
const countOf = ({ counts, optedOut }: BulkSendReport, outcome: RecipientOutcome): number =>
  outcome === 'optedOut' ? optedOut : figuresOfSend(counts)[outcome]

/** True if a reason is known for some of the shown recipients, loaded or not. */
const mayHaveReasons = ({ groups }: BulkSendReport, { state, outcome }: ShownPeople): boolean => {
  if (outcome === 'optedOut') return false
  const states: readonly RecipientState[] | undefined = state ? [state] : outcome && outcomeStates[outcome]
  return groups.some(group => !states || states.includes(group.state))
}

const isSameAsState = (outcome: RecipientOutcome): outcome is 'replied' | 'failed' =>
  outcome === 'replied' || outcome === 'failed'
/** States that a figure includes together with those after them. */
const stopped = ['sent', 'delivered', 'read'] as const

/** Before the name of a figure, which may be that of a state. */
const counted = 'counted-'
const peopleIn = (option: string): ShownPeople =>
  option.startsWith(counted)
    ? { outcome: option.slice(counted.length) as RecipientOutcome }
    : { state: (option || undefined) as RecipientState | undefined }

interface RecipientsProps {
  readonly send: BulkSendReport
  readonly shown: ShownPeople
  readonly ref: Ref<HTMLHeadingElement>
  onShow(people: ShownPeople): void
}

/** The recipients of a send with their outcomes, filtered by state and reason. */
export function Recipients({ send, shown, ref, onShow }: RecipientsProps) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const id = useId()
  const { state, outcome } = shown
  const sayState = useRecipientState(send)
  const why = useReason(send, shown)
  const list = usePages(recipientsQuery(slug, send.id, shown))
  const api = useApi()
  const failureText = useFailureText()
  const [isDownloading, download] = useTransition()
  const save = () =>
    download(async () => {
      try {
        await downloadReport(api, send.id, `${send.template.name} ${send.createdAt.slice(0, 10)}`)
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  const rows = list.data?.pages.flatMap(page => page.items)
  // One that is not settled yet has a reason, but is in no group.
  const hasReasons = mayHaveReasons(send, shown) || (rows?.some(({ reason }) => reason !== null) ?? false)
  const hasStates = rows?.some(({ state }) => !isUnbegun(send, state)) ?? false
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <h2 id={`${id}-title`} ref={ref} tabIndex={-1}>
          {t('people')}
        </h2>
        <button
          type="button"
          className="button bulk-change"
          aria-disabled={isDownloading}
          onClick={() => isDownloading || save()}
        >
          <Icon name="download" />
          {t('download')}
        </button>
        <div className="field bulk-filter">
          <label htmlFor={`${id}-state`}>{t('filter')}</label>
          <select
            id={`${id}-state`}
            value={state ?? (outcome ? (isSameAsState(outcome) ? outcome : `${counted}${outcome}`) : '')}
            onChange={({ target: { value } }) => onShow(peopleIn(value))}
          >
            <option value="">{t('all')}</option>
            {recipientOutcomes
              .filter(one => one === outcome || countOf(send, one) > 0 || one === state)
              .map(one => (
                <option key={one} value={isSameAsState(one) ? one : `${counted}${one}`} dir="auto">
                  {`${t(`outcome.${one}`)} (${countOf(send, one)})`}
                </option>
              ))}
            {(['unconfirmed', 'planned', 'queued', 'omitted'] as const)
              .filter(one => send.counts[one] > 0 || one === state)
              .map(one => (
                <option key={one} value={one} dir="auto">
                  {`${sayState(one)} (${send.counts[one]})`}
                </option>
              ))}
            <optgroup label={t('stopped.title')}>
              {stopped
                .filter(one => send.counts[one] > 0 || one === state)
                .map(one => (
                  <option key={one} value={one} dir="auto">
                    {`${t(`stopped.${one}`)} (${send.counts[one]})`}
                  </option>
                ))}
            </optgroup>
          </select>
        </div>
      </div>
      {why === undefined ? null : (
        <p className="bulk-only">
          <span>{t('onlyThese', { why })}</span>
          <button type="button" className="button" onClick={() => onShow({ state })}>
            {t('notOnlyThese')}
          </button>
        </p>
      )}
      {list.isError && !rows ? <Fault>{t('moreFailed')}</Fault> : null}
      {rows?.length === 0 ? <p role="status">{t('nobodyHere')}</p> : null}
      {rows?.length ? (
        <div className="table-scroll">
          <table className="table bulk-people">
            <thead>
              <tr>
                <th scope="col">{t('column.who')}</th>
                <th scope="col">{t('column.number')}</th>
                {hasStates ? <th scope="col">{t('column.state')}</th> : null}
                {hasReasons ? <th scope="col">{t('column.why')}</th> : null}
              </tr>
            </thead>
            <tbody>
              {rows.map(recipient => (
                <Row key={recipient.id} {...{ recipient, send, hasReasons, hasStates }} />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
    </section>
  )
}
