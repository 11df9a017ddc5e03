import { mostSegmentDays, type SegmentFilter } from '#shared/bulk-sends/segments.ts'

/** As it stands in the fields; empty: it does not matter. */
export interface TypedSegment {
  readonly tagIds: readonly string[]
  readonly match: 'any' | 'all'
  readonly marketing: '' | 'accepts' | 'refuses'
  readonly wrote: '' | 'within' | 'before'
  readonly days: string
  readonly fieldId: string
  readonly value: string
  readonly number: string
}

export const anybody: TypedSegment = {
  tagIds: [],
  match: 'any',
  marketing: '',
  wrote: '',
  days: '30',
  fieldId: '',
  value: '',
  number: '',
}

/** Undefined: no number of days that counts. */
export const daysOf = (typed: string): number | undefined => {
  const days = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : 0
  return days >= 1 && days <= mostSegmentDays ? days : undefined
}

/** Undefined: it says nothing yet, or one condition is not whole. */
export const filterOf = (typed: TypedSegment): SegmentFilter | undefined => {
  const { tagIds, match, marketing, wrote, fieldId, number } = typed
  const days = daysOf(typed.days)
  const value = typed.value.trim()
  if ((wrote && !days) || (fieldId && !value)) return undefined
  const filter: SegmentFilter = {
    ...(tagIds.length ? { tags: { ids: [...tagIds], match } } : {}),
    ...(marketing ? { optedOut: marketing === 'refuses' } : {}),
    ...(wrote && days ? { wrote: { when: wrote, days } } : {}),
    ...(fieldId ? { field: { id: fieldId, value } } : {}),
    ...(number ? { number } : {}),
  }
  return Object.keys(filter).length ? filter : undefined
}
