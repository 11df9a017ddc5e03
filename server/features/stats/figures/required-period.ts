import { InvalidInput } from '#server/platform/http/validate.ts'
import { maxDays, type StatsFilter } from '#shared/stats/filter.ts'
import { type Period, type PeriodFault, readPeriod } from './period.ts'

/** Keys of the texts for refused days. */
const faultTexts: { readonly [F in PeriodFault['fault']]: string } = {
  noDay: 'noDay',
  reversed: 'rangeReversed',
  tooLong: 'rangeTooLong',
  future: 'dayFuture',
}

/** @throws InvalidInput for days that do not exist, lie in the future, are reversed or are too many. */
export function requirePeriod(query: Pick<StatsFilter, 'from' | 'to' | 'days'>, now: number, timeZone: string): Period {
  const period = readPeriod(query, now, timeZone)
  if ('fault' in period)
    throw new InvalidInput([
      { field: `query.${period.field}`, code: 'invalid', text: faultTexts[period.fault], params: { days: maxDays } },
    ])
  return period
}
