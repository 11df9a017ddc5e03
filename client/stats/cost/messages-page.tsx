import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { start } from '#client/app/queries/queries.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { shortDate, shortTime } from '#shared/kernel/time.ts'
import { anyFree, anyTemplate, type SentItem } from '#shared/stats/cost.ts'
import { CountedList, CountedPage } from '../counted-list.tsx'
import { countryName } from './country.ts'
import { selectionIn, sentQuery } from './queries.ts'

export const loader = (args: LoaderFunctionArgs) =>
  start(args, sentQuery(args.params.org ?? '', selectionIn(new URL(args.request.url).searchParams)))

function Row({ item }: { readonly item: SentItem }) {
  const { t } = useTranslation('stats')
  const { language, timeZone } = useFacts()
  const { slug, role } = useOrg()
  const { address, name, at, state, replied, template, category, charge } = item
  const canOpen = address !== null && roleCan(effectiveRole(role), 'chat:read')
  return (
    <tr>
      <th scope="row" dir="auto">
        {canOpen ? <Link to={paths.chat(slug, address)}>{name}</Link> : (name ?? t('list.erased'))}
      </th>
      <td data-label={t('blocks.column.sentAt')}>
        <time dateTime={at}>{shortTime(at, language, timeZone)}</time>
      </td>
      <td data-label={t('blocks.column.message')}>{template ?? t('blocks.source.reply')}</td>
      <td data-label={t('blocks.column.category')}>{t(`blocks.category.${category}`)}</td>
      <td data-label={t('blocks.column.charge')}>{t(`blocks.charge.${charge}`)}</td>
      <td>{replied ? t('blocks.column.repliedOne') : t(`blocks.messages.state.${state}`)}</td>
    </tr>
  )
}

function Rows() {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const [query] = useSearchParams()
  const columns = ['sentAt', 'message', 'category', 'charge', 'state'] as const
  return (
    <CountedList
      title={t('blocks.messages.title')}
      list={useSuspensePages(sentQuery(slug, selectionIn(query)))}
      none={t('blocks.messages.none')}
      total={count => t('blocks.messages.total', { count })}
      columns={[t('list.customer'), ...columns.map(name => t(`blocks.column.${name}`))]}
      row={item => <Row key={item.id} item={item} />}
    />
  )
}

/** `/org/{slug}/stats/messages`: those that a figure counts. */
export default function StatsMessagesPage() {
  const { t } = useTranslation('stats')
  const { language } = useFacts()
  const [query] = useSearchParams()
  const { outcome = 'sent', template, category, source, country, charge, from, to } = selectionIn(query)
  const says = [
    template === anyTemplate ? t('blocks.templates.title') : template,
    category && (!template || template === anyTemplate) ? t(`blocks.category.${category}`) : undefined,
    source ? t(`blocks.source.${source}`) : undefined,
    country ? countryName(country, language, t('blocks.cost.unknownCountry')) : undefined,
    t(`blocks.messages.outcome.${outcome}`),
    charge === anyFree
      ? t('blocks.column.free')
      : charge === 'regular'
        ? t('blocks.column.billed')
        : charge
          ? t(`blocks.charge.${charge}`)
          : undefined,
    from && from === to ? shortDate(`${from}T12:00:00.000Z`, language, 'UTC') : undefined,
  ]
  return (
    <CountedPage
      title={t('blocks.messages.title')}
      says={says.filter(Boolean).join(' · ')}
      figureParts={['template', 'source', 'category', 'country', 'charge', 'outcome']}
    >
      <Rows />
    </CountedPage>
  )
}
