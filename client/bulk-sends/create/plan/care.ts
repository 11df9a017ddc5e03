import { type BulkSendCare, careDefaults } from '#shared/bulk-sends/care.ts'
import { newDraftSteps } from '#shared/bulk-sends/drafts.ts'

/** The fields' contents. */
export interface TypedCare {
  readonly hasCanary: boolean
  readonly people: string
  readonly waitMinutes: string
  readonly hasHours: boolean
  readonly from: string
  readonly to: string
  /** Empty: no limit. */
  readonly failedPercent: string
  readonly optedOutPercent: string
}

export const usualCare: TypedCare = newDraftSteps('').care

const ranges = {
  waitMinutes: { min: 1, max: 1440 },
  from: { min: 0, max: 23 },
  to: { min: 1, max: 24 },
  failedPercent: { min: 1, max: 100 },
  optedOutPercent: { min: 1, max: 100 },
} as const
export type CareName = keyof typeof ranges | 'people'
const mayBeEmpty = (name: CareName) => name === 'failedPercent' || name === 'optedOutPercent'

export interface Range {
  readonly min: number
  readonly max: number
}

/** The whole number in a field. Undefined: outside the range. */
export const wholeWithin = (typed: string, { min, max }: Range): number | undefined => {
  const value = /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

/** The possible sizes of the canary. At least one recipient must be left after it. */
const firstRange = (planned: number): Range => ({ min: 1, max: planned - 1 })
/** A tenth, if the usual number would be everybody. */
const fewOf = (planned: number): number =>
  careDefaults.canary.people < planned ? careDefaults.canary.people : Math.max(1, Math.floor(planned / 10))

export const rangeOf = (name: CareName, planned: number): Range =>
  name === 'people' ? firstRange(planned) : ranges[name]

export const typedValue = (typed: TypedCare, name: CareName, planned: number): number | null | undefined =>
  mayBeEmpty(name) && !typed[name].trim() ? null : wholeWithin(typed[name], rangeOf(name, planned))

/** True if the window begins before it ends. */
export const areHours = (typed: TypedCare): boolean => {
  const [from, to] = [wholeWithin(typed.from, ranges.from), wholeWithin(typed.to, ranges.to)]
  return typeof from === 'number' && typeof to === 'number' && from < to
}

/** The settings for this number of recipients. Undefined: a field is invalid. */
export const careOf = (
  typed: TypedCare,
  planned: number,
): Pick<BulkSendCare, 'canary' | 'hours' | 'limits'> | undefined => {
  const failedPercent = typedValue(typed, 'failedPercent', planned)
  const optedOutPercent = typedValue(typed, 'optedOutPercent', planned)
  const people = typedValue(typed, 'people', planned)
  const waitMinutes = typedValue(typed, 'waitMinutes', planned)
  if (failedPercent === undefined || optedOutPercent === undefined) return undefined
  const limits = { failedPercent, optedOutPercent }
  if (typed.hasHours && !areHours(typed)) return undefined
  const hours = typed.hasHours ? { from: Number(typed.from), to: Number(typed.to) } : null
  if (!typed.hasCanary || planned < 2) return { canary: null, hours, limits }
  return people && waitMinutes ? { canary: { people, waitMinutes }, hours, limits } : undefined
}

/** Keeps the typed number unless it covers everybody. */
export const withCanary = (typed: TypedCare, hasCanary: boolean, planned: number): TypedCare => {
  const fits = typedValue(typed, 'people', planned) !== undefined
  return { ...typed, hasCanary, people: fits || !hasCanary ? typed.people : String(fewOf(planned)) }
}
