import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { shortTime } from '#shared/kernel/time.ts'
import type { BulkFigures } from '#shared/stats/blocks.ts'
import { useFacts } from '../../app/facts.ts'
import { useAnswer } from '../../app/use-answer.ts'
import { useOrg } from '../../shell/viewer.ts'
import { BlockCard, BlockTable, CountCell } from './block.tsx'
import { bulkBlockQuery, rangeIn } from './queries.ts'

const columns = ['sent', 'delivered', 'read', 'replied', 'failed', 'optedOut'] as const

/** The page of a send, with those of its people in a state. */
const peopleOf = ({ href }: BulkFigures, state: 'replied' | 'failed') => href && `${href}?state=${state}`

/** What became of the bulk sends of the range. */
export function BulkSends() {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const { language, timeZone } = useFacts()
  const [query] = useSearchParams()
  const { sends, total, items, listHref } = useAnswer(bulkBlockQuery(slug, rangeIn(query)))
  const labels = columns.map(name => t(`blocks.column.${name}`))
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
                <CountCell label={labels[0] ?? ''} count={send.sent} href={send.href} />
                <CountCell label={labels[1] ?? ''} count={send.delivered} of={send.sent} href={send.href} />
                <CountCell label={labels[2] ?? ''} count={send.read} of={send.delivered} href={send.href} />
                <CountCell
                  label={labels[3] ?? ''}
                  count={send.replied}
                  of={send.delivered}
                  href={peopleOf(send, 'replied')}
                />
                <CountCell label={labels[4] ?? ''} count={send.failed} of={send.sent} href={peopleOf(send, 'failed')} />
                <CountCell label={labels[5] ?? ''} count={send.optedOut} href={send.href} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('blocks.total', { count: sends })}</th>
              <CountCell label={labels[0] ?? ''} count={total.sent} />
              <CountCell label={labels[1] ?? ''} count={total.delivered} of={total.sent} />
              <CountCell label={labels[2] ?? ''} count={total.read} of={total.delivered} />
              <CountCell label={labels[3] ?? ''} count={total.replied} of={total.delivered} />
              <CountCell label={labels[4] ?? ''} count={total.failed} of={total.sent} />
              <CountCell label={labels[5] ?? ''} count={total.optedOut} />
            </tr>
          </tfoot>
        </BlockTable>
      ) : null}
      {rest > 0 ? <p className="field-hint">{t('blocks.rest', { count: rest })}</p> : null}
    </BlockCard>
  )
}
