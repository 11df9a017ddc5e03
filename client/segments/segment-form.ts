import { maxSegmentDays, type SegmentFilter } from '#shared/contacts/segments.ts'

/** The fields' contents. Empty: any. */
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

/** Undefined: not a valid number of days. */
export const readDays = (typed: string): number | undefined => {
  const days = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : 0
  return days >= 1 && days <= maxSegmentDays ? days : undefined
}

/** Undefined: empty, or a condition is incomplete. */
export const segmentFilterOf = (typed: TypedSegment): SegmentFilter | undefined => {
  const { tagIds, match, marketing, wrote, fieldId, number } = typed
  const days = readDays(typed.days)
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
