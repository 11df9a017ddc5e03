import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useAddressChange } from '#client/app/address/use-address-change.ts'
import { useFacts } from '#client/app/facts.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { DateField } from '#client/ui/controls/date-input.tsx'
import { Labelled } from '#client/ui/controls/field.tsx'
import { countedAtStep } from '#shared/flows/runs/limits.ts'
import { startOfDay, wallTime } from '#shared/kernel/time.ts'
import { countedIn, flowQuery } from '../queries.ts'

const results = ['finished', 'handedOff'] as const
const filterParts = ['counted', 'step', 'since', 'until'] as const
type Filter = Partial<Record<(typeof filterParts)[number], string>>

/** Filters of the sessions of a flow, in the address: by result and date, or by what happened at a step. */
export function RunFilters({ flowId }: { readonly flowId: string }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { timeZone } = useFacts()
  const [query] = useSearchParams()
  const changeAddress = useAddressChange()
  const { nodes } = useAnswer(flowQuery(slug, flowId)).graph
  const { counted, step, since, until } = countedIn(query) ?? {}
  const put = (filter: Filter) =>
    changeAddress(
      address => {
        for (const part of filterParts)
          if (filter[part]) address.set(part, filter[part])
          else address.delete(part)
      },
      { replace: true },
    )
  const range = { ...(since ? { since } : {}), ...(until ? { until } : {}) }
  const inRange = (next: Filter) =>
    put({ ...next, counted: next.counted || (next.since || next.until ? 'started' : '') })
  const dayOf = (time: string | undefined, beforeMs = 0) =>
    time === undefined ? '' : wallTime(Date.parse(time) - beforeMs, timeZone).slice(0, 10)
  const result = results.find(one => one === counted) ?? ''
  return (
    <search className="flow-run-filters wrap">
      <Labelled label={t('runs.filter.result')}>
        {control => (
          <select {...control} value={result} onChange={({ target }) => inRange({ ...range, counted: target.value })}>
            <option value="">{t('runs.filter.anyResult')}</option>
            {results.map(one => (
              <option key={one} value={one}>
                {t(`runs.state.${one}`)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <DateField
        label={t('runs.filter.since')}
        value={dayOf(since)}
        onChange={day =>
          inRange({ ...(until ? { until } : {}), counted: result, since: day && startOfDay(day, timeZone) })
        }
      />
      <DateField
        label={t('runs.filter.until')}
        value={dayOf(until, 1)}
        onChange={day =>
          inRange({ ...(since ? { since } : {}), counted: result, until: day && startOfDay(day, timeZone, 1) })
        }
      />
      <Labelled label={t('runs.filter.step')}>
        {control => (
          <select
            {...control}
            value={step ?? ''}
            onChange={({ target }) => put(target.value ? { step: target.value, counted: 'reached' } : {})}
          >
            <option value="">{t('runs.filter.anyStep')}</option>
            {nodes.map(node => (
              <option key={node.id} value={node.id} dir="auto">
                {node.data?.name || t(`node.${node.type}`)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {step === undefined ? null : (
        <Labelled label={t('runs.filter.there')}>
          {control => (
            <select {...control} value={counted} onChange={({ target }) => put({ step, counted: target.value })}>
              {countedAtStep.map(one => (
                <option key={one} value={one}>
                  {t(`runs.filter.${one}`)}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      )}
    </search>
  )
}
