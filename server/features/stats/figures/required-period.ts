import { type InputPart, InvalidInput } from '#server/platform/http/validate.ts'
import { maxDays, type StatsFilter } from '#shared/stats/filter.ts'
import { type Period, type PeriodFault, readPeriod } from './period.ts'

/** Keys of the texts for refused days. */
const faultTexts: { readonly [F in PeriodFault['fault']]: string } = {
  noDay: 'errors:field.noDay',
  reversed: 'errors:field.rangeReversed',
  tooLong: 'errors:field.rangeTooLong',
  future: 'errors:field.dayFuture',
}

/** @throws InvalidInput for days that do not exist, lie in the future, are reversed or are too many. */
export function requirePeriod(
  query: Pick<StatsFilter, 'from' | 'to' | 'days'>,
  { now, timeZone, part = 'query' }: { now: number; timeZone: string; part?: InputPart },
): Period {
  const period = readPeriod(query, now, timeZone)
  if ('fault' in period)
    throw new InvalidInput([
      { field: `${part}.${period.field}`, code: 'invalid', text: faultTexts[period.fault], params: { days: maxDays } },
    ])
  return period
}
