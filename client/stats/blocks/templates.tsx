import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { recipientOutcomes as columns, wholeOf } from '#shared/bulk-sends/states.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { BlockCard, BlockTable, CountCell } from './block.tsx'
import { Counting } from './counting.tsx'
import { rangeIn, templateBlockQuery } from './queries.ts'

/** Outcomes of the templates of the range, whether people, flows or programs sent them. */
export function Templates() {
  const { t } = useTranslation('stats')
  const { slug, role } = useOrg()
  const [query] = useSearchParams()
  const { isPartial, counting, templates, total, items } = useAnswer(templateBlockQuery(slug, rangeIn(query)))
  const says = isPartial
    ? t('blocks.partial')
    : templates
      ? t('blocks.templates.count', { count: templates })
      : t('blocks.templates.none')
  const cells = (counts: typeof total) =>
    columns.map(name => {
      const whole = wholeOf[name]
      return (
        <CountCell
          key={name}
          label={t(`blocks.column.${name}`)}
          count={counts[name]}
          href={`${counts.href}&outcome=${name}`}
          {...(whole ? { of: counts[whole] } : {})}
        />
      )
    })
  return (
    <BlockCard
      name="templates"
      says={says}
      isEmpty={!templates}
      more={
        roleCan(effectiveRole(role), 'chat:read') ? (
          <Link className="button" to={paths.templates(slug)}>
            {t('blocks.templates.all')}
          </Link>
        ) : null
      }
    >
      <Counting counting={counting} />
      {templates ? (
        <BlockTable
          name="templates"
          of={t('blocks.column.template')}
          columns={columns.map(name => t(`blocks.column.${name}`))}
        >
          <tbody>
            {items.map(item => (
              <tr key={`${item.template} ${item.category}`}>
                <th scope="row">
                  {item.template}
                  <span className="field-hint">{t(`blocks.category.${item.category}`)}</span>
                </th>
                {cells(item)}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('blocks.total')}</th>
              {cells(total)}
            </tr>
          </tfoot>
        </BlockTable>
      ) : null}
      {templates > items.length ? (
        <p className="field-hint">{t('blocks.rest', { count: templates - items.length })}</p>
      ) : null}
    </BlockCard>
  )
}
