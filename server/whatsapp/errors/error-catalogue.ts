import type { RetryClass } from '../provider.ts'

type ErrorCategory =
  | 'auth'
  | 'throttle'
  | 'window'
  | 'template'
  | 'recipient'
  | 'media'
  | 'account'
  | 'policy'
  | 'request'
  | 'service'
  | 'unknown'

interface CatalogueEntry {
  category: ErrorCategory
  retry: RetryClass
  retryAfterMs?: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

type Family = Readonly<Record<string, RetryClass | readonly ['later', number]>>

/** @see Meta, "Cloud API › Error codes › Authorization errors" */
const auth: Family = {
  0: 'credentials',
  3: 'credentials',
  10: 'credentials',
  33: 'credentials',
  104: 'credentials',
  190: 'credentials',
  200: 'credentials',
  803: 'credentials',
  131005: 'credentials',
}

/**
 * @see Meta, "Error codes › Throttling errors"; "Pair rate limits" asks for 4^n seconds, at least one message in six.
 */
const throttle: Family = {
  4: ['later', 5 * minute],
  17: ['later', minute],
  32: ['later', minute],
  613: ['later', minute],
  80007: ['later', 5 * minute],
  80008: ['later', 5 * minute],
  130429: ['later', 4 * second],
  131048: ['later', hour],
  131056: ['later', 6 * second],
  131057: ['later', minute],
  131064: ['later', 6 * hour],
  131208: ['later', minute],
  133016: ['later', hour],
}

/** @see Meta, "Customer service windows" */
const window: Family = { 131047: 'never' }

/**
 * @see Meta, "Error codes › Other errors"; a withheld marketing message (131049) may be sent again after a day, by a
 * person
 */
const recipient: Family = {
  130403: 'never',
  130472: 'never',
  131021: 'never',
  131026: 'never',
  131030: 'never',
  131049: 'never',
  131050: 'never',
  131062: 'never',
  137000: 'never',
}

/** @see Meta, "Error codes › Template errors", "Marketing Messages Lite API › Error codes" */
const template: Family = {
  131063: 'never',
  132000: 'never',
  132001: 'never',
  132005: 'never',
  132007: 'never',
  132008: 'never',
  132012: 'never',
  132015: 'never',
  132016: 'never',
  132018: 'never',
  132068: 'never',
  132069: ['later', hour],
  134100: 'never',
  134101: ['later', 10 * minute],
  134102: 'never',
}

/** @see Meta, "Media › Error codes" */
const media: Family = { 131052: 'never', 131053: 'never' }

/** @see Meta, "Error codes › Registration errors", "Integrity errors" */
const account: Family = {
  131031: 'never',
  131037: 'never',
  131042: 'never',
  131044: 'never',
  131045: 'never',
  133000: 'never',
  133004: ['later', minute],
  133005: 'never',
  133006: 'never',
  133008: 'never',
  133009: 'never',
  133010: 'never',
  133015: ['later', 5 * minute],
  134011: 'never',
  136024: 'never',
  136025: 'never',
  2494100: ['later', minute],
}

/** @see Meta, "Error codes › Integrity errors" */
const policy: Family = { 368: 'never', 130497: 'never' }

/** @see Meta, "Error codes › Other errors" */
const request: Family = {
  1: 'quick',
  100: 'never',
  131008: 'never',
  131009: 'never',
  131051: 'never',
  131055: 'never',
  135000: 'never',
}

/** @see Meta, "Error codes › Other errors": temporary by their own description */
const service: Family = { 2: 'quick', 131000: 'quick', 131016: 'quick' }

const families: Readonly<Record<ErrorCategory, Family>> = {
  auth,
  throttle,
  window,
  recipient,
  template,
  media,
  account,
  policy,
  request,
  service,
  unknown: {},
}

const entryOf = (category: ErrorCategory, rule: Family[string]): CatalogueEntry =>
  typeof rule === 'string' ? { category, retry: rule } : { category, retry: rule[0], retryAfterMs: rule[1] }

/** Meta's error codes as text, with their category and how to retry. */
export const catalogue: ReadonlyMap<string, CatalogueEntry> = new Map(
  Object.entries(families).flatMap(([category, family]) =>
    Object.entries(family).map(([code, rule]): [string, CatalogueEntry] => [
      code,
      entryOf(category as ErrorCategory, rule),
    ]),
  ),
)

/** The code in the catalogue and the texts: 200 to 299 are one family of missing permissions, 470 a former 131047. */
export const catalogueCode = (code: string): string => {
  if (code === '470') return '131047'
  return /^2\d\d$/.test(code) ? '200' : code
}

/** Undefined for codes that Meta's pages do not list. */
export const findEntry = (code: string): CatalogueEntry | undefined => catalogue.get(catalogueCode(code))
