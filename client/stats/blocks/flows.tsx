import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { useDetails } from '#client/ui/page/use-details.ts'
import { type CountedAtStep, countedRuns, maxRunsCounted } from '#shared/flows/runs/limits.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import type { FlowBlock } from '#shared/stats/blocks.ts'
import { BlockCard, BlockTable, CountCell } from './block.tsx'
import { flowBlockQuery, flowStepsQuery, rangeIn } from './queries.ts'

const columns = countedRuns

/** Shows how many customers came to each step of a flow, and how many left there. */
function Funnel({ id, canOpen }: { readonly id: string; readonly canOpen: boolean }) {
  const { t, i18n } = useTranslation('stats')
  const { slug } = useOrg()
  const number = new Intl.NumberFormat(i18n.language)
  const { runs, steps } = useAnswer(flowStepsQuery(slug, id))
  if (!runs) return <p className="field-hint">{t('blocks.flows.noRuns')}</p>
  const hrefOf = (step: string, counted: CountedAtStep) =>
    canOpen ? `${paths.flowRuns(slug, id)}?${new URLSearchParams({ counted, step })}` : null
  const most = Math.max(1, ...steps.map(({ entered }) => entered))
  return (
    <>
      <p className="field-hint">{t('blocks.flows.funnelOf', { count: runs, most: number.format(maxRunsCounted) })}</p>
      <table className="table stats-bars">
        <thead>
          <tr>
            <th scope="col">{t('blocks.column.step')}</th>
            <th scope="col">{t('blocks.column.entered')}</th>
            <td />
            <th scope="col">{t('blocks.column.gaveUp')}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ nodeId, name, entered, gaveUp }) => (
            <tr key={nodeId}>
              <th scope="row" dir="auto">
                {name}
              </th>
              <CountCell label={t('blocks.column.entered')} count={entered} href={hrefOf(nodeId, 'reached')} />
              <td>
                <svg
                  viewBox="0 0 100 10"
                  preserveAspectRatio="none"
                  role="img"
                  aria-label={t('blocks.flows.stepTip', { name, count: entered, gaveUp })}
                  data-touch=""
                  data-tip={t('blocks.flows.stepTip', { name, count: entered, gaveUp })}
                  // biome-ignore lint/a11y/noNoninteractiveTabindex: it has the focus only so that its tooltip opens
                  tabIndex={0}
                >
                  <rect width={(100 * entered) / most} height="10" />
                  <rect
                    data-late="true"
                    x={(100 * (entered - gaveUp)) / most}
                    width={(100 * gaveUp) / most}
                    height="10"
                  />
                </svg>
              </td>
              <CountCell
                label={t('blocks.column.gaveUp')}
                count={gaveUp}
                of={entered}
                href={hrefOf(nodeId, 'gaveUp')}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** The steps of a flow are asked for when somebody opens them. */
function Steps({ id, name, href }: FlowBlock['items'][number]) {
  const { t } = useTranslation('stats')
  const { isOpen, details } = useDetails()
  return (
    <details className="stats-funnel" {...details}>
      <summary>{t('blocks.flows.steps', { name })}</summary>
      {isOpen ? (
        <Suspense fallback={<div className="skeleton" aria-hidden="true" />}>
          <Funnel id={id} canOpen={href !== null} />
        </Suspense>
      ) : null}
    </details>
  )
}

/** Shows how often flows started, ended and handed over in the range, and where customers left. */
export function Flows() {
  const { t } = useTranslation('stats')
  const { slug, role } = useOrg()
  const [query] = useSearchParams()
  const mayOpen = roleCan(effectiveRole(role), 'chat:read')
  const { isPartial, flows, total, items } = useAnswer(flowBlockQuery(slug, rangeIn(query)))
  const labels = columns.map(name => t(`blocks.column.${name}`))
  const says = isPartial
    ? t('blocks.partial')
    : flows
      ? t('blocks.flows.count', { count: flows })
      : t('blocks.flows.none')
  return (
    <BlockCard name="flows" says={says} isEmpty={!flows}>
      {flows ? (
        <>
          <BlockTable name="flows" of={t('blocks.column.flow')} columns={labels}>
            <tbody>
              {items.map(flow => (
                <tr key={flow.id}>
                  <th scope="row" dir="auto">
                    {flow.href ? <Link to={flow.href}>{flow.name}</Link> : flow.name}
                  </th>
                  {columns.map((name, i) => (
                    <CountCell
                      key={name}
                      label={labels[i] ?? ''}
                      count={flow[name]}
                      of={name === 'started' ? undefined : flow.started}
                      href={flow.href && `${flow.href}&counted=${name}`}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">
                  {mayOpen ? (
                    <Link to={paths.flows(slug)}>{t('blocks.total', { count: flows })}</Link>
                  ) : (
                    t('blocks.total', { count: flows })
                  )}
                </th>
                {columns.map((name, i) => (
                  <CountCell
                    key={name}
                    label={labels[i] ?? ''}
                    count={total[name]}
                    of={name === 'started' ? undefined : total.started}
                    href={mayOpen ? paths.flows(slug) : null}
                  />
                ))}
              </tr>
            </tfoot>
          </BlockTable>
          {flows > items.length ? (
            <p className="field-hint">{t('blocks.rest', { count: flows - items.length })}</p>
          ) : null}
          {items.map(flow => (
            <Steps key={flow.id} {...flow} />
          ))}
        </>
      ) : null}
    </BlockCard>
  )
}
