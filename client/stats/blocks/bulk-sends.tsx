import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { recipientOutcomes as columns, type RecipientOutcome, wholeOf } from '#shared/bulk-sends/states.ts'
import { shortTime } from '#shared/kernel/time.ts'
import type { BulkFigures, SendCounts } from '#shared/stats/blocks.ts'
import { BlockCard, BlockTable, CountCell } from './block.tsx'
import { bulkBlockQuery, rangeIn } from './queries.ts'

const wholeIn = (counts: SendCounts, name: RecipientOutcome): number | undefined => {
  const whole = wholeOf[name]
  return whole && counts[whole]
}

/** The page of a send, with the recipients that a figure counts. */
const peopleOf = ({ href }: BulkFigures, outcome: RecipientOutcome) => href && `${href}?outcome=${outcome}`

/** The outcomes of the range's bulk sends. */
export function BulkSends() {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const { language, timeZone } = useFacts()
  const [query] = useSearchParams()
  const { sends, total, items, listHref } = useAnswer(bulkBlockQuery(slug, rangeIn(query)))
  const labels = columns.map(name => t(`blocks.column.${name}`))
  const belowOf = ({ unconfirmed }: SendCounts, name: RecipientOutcome) =>
    name === 'failed' && unconfirmed ? t('blocks.bulkSends.unconfirmed', { count: unconfirmed }) : undefined
  const rest = sends - items.length
  return (
    <BlockCard
      name="bulkSends"
      says={sends ? t('blocks.bulkSends.count', { count: sends }) : t('blocks.bulkSends.none')}
      isEmpty={!sends}
      more={
        rest > 0 && listHref ? (
          <Link className="button" to={listHref}>
            {t('blocks.bulkSends.all')}
          </Link>
        ) : null
      }
    >
      {sends ? (
        <BlockTable name="bulkSends" of={t('blocks.column.send')} columns={labels}>
          <tbody>
            {items.map(send => (
              <tr key={send.id}>
                <th scope="row">
                  {send.href ? <Link to={send.href}>{send.template}</Link> : send.template}
                  <span className="field-hint">
                    <time dateTime={send.at}>{shortTime(send.at, language, timeZone)}</time>
                    {send.state === 'completed' ? null : ` · ${t(`blocks.bulkSends.state.${send.state}`)}`}
                  </span>
                </th>
                {columns.map((name, i) => (
                  <CountCell
                    key={name}
                    label={labels[i] ?? ''}
                    count={send[name]}
                    of={wholeIn(send, name)}
                    below={belowOf(send, name)}
                    href={peopleOf(send, name)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">
                {listHref ? (
                  <Link to={listHref}>{t('blocks.total', { count: sends })}</Link>
                ) : (
                  t('blocks.total', { count: sends })
                )}
              </th>
              {columns.map((name, i) => (
                <CountCell
                  key={name}
                  label={labels[i] ?? ''}
                  count={total[name]}
                  of={wholeIn(total, name)}
                  below={belowOf(total, name)}
                  href={listHref}
                />
              ))}
            </tr>
          </tfoot>
        </BlockTable>
      ) : null}
      {rest > 0 ? <p className="field-hint">{t('blocks.rest', { count: rest })}</p> : null}
    </BlockCard>
  )
}
