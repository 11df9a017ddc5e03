import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { MoreButton } from '#client/ui/more-button.tsx'
import { type BulkRecipient, type BulkSendReport, type RecipientState, recipientStates } from '#shared/bulk-sends.ts'
import { paths } from '#shared/paths.ts'
import { useOrg } from '../shell/viewer.ts'
import { Fault } from '../ui/field.tsx'
import { usePages } from '../use-paged-list.ts'
import { recipientsQuery } from './queries.ts'
import { useRecipientState } from './words.tsx'

/** Digits as one dials them; what was typed in their place stays as it is. */
const shown = ({ given }: BulkRecipient): string => (/^\d{7,15}$/.test(given) ? `+${given}` : given)

function Row({ recipient, send }: { recipient: BulkRecipient; send: BulkSendReport }) {
  const { t } = useTranslation('bulk')
  const { slug } = useOrg()
  const sayState = useRecipientState(send)
  const { name, state, reason, chat } = recipient
  const title = name ?? shown(recipient)
  const why = reason && (state === 'omitted' ? t(`omission.${reason.code as 'duplicate'}`) : reason.message)
  return (
    <tr>
      <td>{chat ? <Link to={paths.chat(slug, chat)}>{title}</Link> : title}</td>
      <td>{name ? shown(recipient) : null}</td>
      <td>{why}</td>
      <td>{sayState(state)}</td>
    </tr>
  )
}

/** Everybody of a send with what became of it, narrowed by that. */
export function Recipients({ send }: { send: BulkSendReport }) {
  const { t } = useTranslation('bulk')
  const { slug } = useOrg()
  const id = useId()
  const [state, setState] = useState<RecipientState>()
  const sayState = useRecipientState(send)
  const list = usePages(recipientsQuery(slug, send.id, state))
  const rows = list.data?.pages.flatMap(page => page.items)
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <h2 id={`${id}-title`}>{t('people')}</h2>
        <div className="field bulk-filter">
          <label htmlFor={`${id}-state`}>{t('filter')}</label>
          <select
            id={`${id}-state`}
            value={state ?? ''}
            onChange={({ target }) => setState((target.value || undefined) as RecipientState | undefined)}
          >
            <option value="">{t('all')}</option>
            {recipientStates
              .filter(one => send.counts[one] > 0 || one === state)
              .map(one => (
                <option key={one} value={one}>
                  {`${sayState(one)} (${send.counts[one]})`}
                </option>
              ))}
          </select>
        </div>
      </div>
      {list.isError && !rows ? <Fault>{t('moreFailed')}</Fault> : null}
      {rows?.length === 0 ? <p role="status">{t('nobodyHere')}</p> : null}
      {rows?.length ? (
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('column.who')}</th>
                <th scope="col">{t('column.number')}</th>
                <th scope="col">{t('column.why')}</th>
                <th scope="col">{t('column.state')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(recipient => (
                <Row key={recipient.id} recipient={recipient} send={send} />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
    </section>
  )
}
