import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { shortDate, shortTime } from '#shared/kernel/time.ts'
import type { NumberHealth } from '#shared/stats/blocks.ts'
import { BlockCard, BlockTable } from './block.tsx'
import { healthBlockQuery } from './queries.ts'

const columns = ['quality', 'limit', 'token', 'readAt'] as const

/** Shows the used part of the day's limit, in words and as a bar. */
function Limit({ limit, opened }: { readonly limit: NumberHealth['limit']; readonly opened: number }) {
  const { t, i18n } = useTranslation('stats')
  const number = new Intl.NumberFormat(i18n.language)
  const { people, why } = limit
  if (people === null)
    return (
      <>
        {t('blocks.health.usedOf', { used: number.format(opened) })} {t(`blocks.health.why.${why ?? 'notSaid'}`)}
      </>
    )
  if (people === -1) return t('blocks.health.usedUnlimited', { used: number.format(opened) })
  return (
    <>
      {t('blocks.health.used', { used: number.format(opened), people: number.format(people) })}
      <svg className="stats-used" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect
          data-late={opened >= 0.8 * people}
          width={people ? Math.min(100, (100 * opened) / people) : 100}
          height="6"
        />
      </svg>
    </>
  )
}

function Row({ item, opened }: { readonly item: NumberHealth; readonly opened: number }) {
  const { t } = useTranslation('stats')
  const { language, timeZone } = useFacts()
  const { number, label, isSimulated, quality, limit, token, readAt, href } = item
  const tokenSays = () => {
    if (token.isRefused) return t('blocks.health.tokenRefused')
    if (token.lasts) return t('blocks.health.tokenLasts')
    if (token.expiresAt) return t('blocks.health.tokenEnds', { day: shortDate(token.expiresAt, language, timeZone) })
    return t(`blocks.health.why.${token.why ?? 'notSaid'}`)
  }
  return (
    <tr>
      <th scope="row">
        {href ? <Link to={href}>{label ?? number}</Link> : (label ?? number)}
        <span className="field-hint">{label ? number : isSimulated ? t('blocks.health.simulated') : null}</span>
      </th>
      <td data-label={t('blocks.column.quality')}>
        {quality.value ? (
          <span className="stats-quality" data-quality={quality.value}>
            {t(`blocks.health.quality.${quality.value}`)}
          </span>
        ) : (
          t(`blocks.health.why.${quality.why ?? 'notSaid'}`)
        )}
      </td>
      <td data-label={t('blocks.column.limit')}>
        <Limit limit={limit} opened={opened} />
      </td>
      <td data-label={t('blocks.column.token')}>{tokenSays()}</td>
      <td data-label={t('blocks.column.readAt')}>
        {readAt ? <time dateTime={readAt}>{shortTime(readAt, language, timeZone)}</time> : '—'}
      </td>
    </tr>
  )
}

/** The last known state of each number at Meta. */
export function Health() {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const { opened, items } = useAnswer(healthBlockQuery(slug))
  return (
    <BlockCard
      name="health"
      says={items.length ? t('blocks.health.opened', { count: opened }) : ''}
      isEmpty={!items.length}
    >
      {items.length ? (
        <BlockTable
          name="health"
          of={t('blocks.column.number')}
          columns={columns.map(name => t(`blocks.column.${name}`))}
        >
          <tbody>
            {items.map(item => (
              <Row key={item.id} item={item} opened={opened} />
            ))}
          </tbody>
        </BlockTable>
      ) : (
        <Empty icon="chart" says={t('blocks.health.none')} />
      )}
    </BlockCard>
  )
}
