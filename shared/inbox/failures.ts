import { type Static, Type } from 'typebox'

/** The next best step after a failed message. Its words are in `inbox:failureNext` of the locales. */
const failureSteps = [
  'retry',
  'wait',
  'template',
  'otherTemplate',
  'checkNumber',
  'otherNumber',
  'optOut',
  'unblock',
  'confirmIdentity',
  'letThemWrite',
  'otherChannel',
  'otherFile',
  'otherKind',
  'change',
  'checkChat',
  'reconnect',
  'pay',
  'atMeta',
  'sendAnyway',
] as const
export type FailureStep = (typeof failureSteps)[number]

/** The next step after a failure. */
export const FailureNext = Type.Object({
  step: Type.Enum(failureSteps, {
    description:
      'The next best step. Sending the same again helps only for `retry`, `wait` (after `until`), `checkChat`, `reconnect`, `pay`, `atMeta` and `sendAnyway`.',
  }),
  text: Type.String({ description: 'The same in words.' }),
  until: Type.Optional(
    Type.String({ description: 'Of `wait`: sending it again before then does not help, ISO 8601 in UTC.' }),
  ),
})
export type FailureNext = Static<typeof FailureNext>

const minute = 60_000
const hour = 60 * minute

interface Rule {
  /** Its words are in `inbox:row.why`. */
  readonly why: string
  readonly next: FailureStep
  /** Another attempt may succeed after this time. */
  readonly waitMs?: number
  /** Meta's codes and ours. */
  readonly codes: readonly (number | string)[]
}

/** All failures of messages: why, and what to do about it. */
const rules = [
  { why: 'window', next: 'template', codes: [470, 131047] },
  { why: 'unreachable', next: 'checkNumber', codes: [131026, 'NO_ADDRESS'] },
  { why: 'held', next: 'wait', waitMs: 24 * hour, codes: [131049] },
  { why: 'held', next: 'letThemWrite', codes: [130472] },
  { why: 'optedOut', next: 'optOut', codes: [131050] },
  { why: 'blocked', next: 'unblock', codes: [130403] },
  { why: 'identity', next: 'confirmIdentity', codes: [137000] },
  { why: 'limit', next: 'wait', waitMs: minute, codes: [17, 32, 613, 130429, 131056, 131208] },
  { why: 'limit', next: 'wait', waitMs: 5 * minute, codes: [4, 80007, 80008] },
  { why: 'limit', next: 'wait', waitMs: hour, codes: [131048, 132069] },
  { why: 'limit', next: 'wait', waitMs: 6 * hour, codes: [131064] },
  { why: 'trouble', next: 'retry', codes: [1, 2, 131000, 131016] },
  { why: 'trouble', next: 'wait', waitMs: minute, codes: [131057, 133004, 2494100] },
  { why: 'network', next: 'retry', codes: ['NETWORK'] },
  { why: 'unconfirmed', next: 'checkChat', codes: ['INTERNAL', 'TIMEOUT', 'UNCONFIRMED', 'UNREADABLE'] },
  { why: 'file', next: 'otherFile', codes: [131053, 'FILE_MISSING', 'MEDIA_HOST', 'TOO_LARGE'] },
  { why: 'file', next: 'retry', codes: [131052, 'UPLOAD_FAILED'] },
  { why: 'kind', next: 'otherKind', codes: [131051, 131055] },
  { why: 'facts', next: 'change', codes: [100, 131008, 131009, 135000] },
  { why: 'recipient', next: 'otherNumber', codes: [131021, 131062] },
  { why: 'recipient', next: 'atMeta', codes: [131030] },
  { why: 'notAllowed', next: 'otherChannel', codes: [130497] },
  { why: 'notAllowed', next: 'atMeta', codes: [131037, 131063, 134011] },
  { why: 'notAllowed', next: 'otherTemplate', codes: [134100, 134102] },
  {
    why: 'connection',
    next: 'reconnect',
    codes: [
      ...[0, 3, 10, 33, 104, 190, 200, 803, 131005, 131045, 133006, 133010],
      ...['APP_SECRET', 'KEYS_UNREADABLE', 'NOT_CONNECTED', 'WRONG_ACCOUNT'],
    ],
  },
  { why: 'payment', next: 'pay', codes: [131042, 131044] },
  { why: 'locked', next: 'atMeta', codes: [368, 131031] },
  {
    why: 'template',
    next: 'otherTemplate',
    codes: [132001, 132015, 132016, 132068],
  },
  { why: 'template', next: 'change', codes: [132000, 132005, 132007, 132008, 132012, 132018] },
  { why: 'template', next: 'wait', waitMs: 10 * minute, codes: [134101] },
  { why: 'cancelled', next: 'sendAnyway', codes: ['CANCELLED'] },
] as const satisfies readonly Rule[]

const unknown = { why: 'unknown', next: 'retry' } as const
type FailureRule = (typeof rules)[number] | typeof unknown

const ruleByCode: ReadonlyMap<string, FailureRule> = new Map(
  rules.flatMap(rule => rule.codes.map((code): [string, FailureRule] => [String(code), rule])),
)

const ruleOf = (code: string | undefined): FailureRule => (code !== undefined && ruleByCode.get(code)) || unknown

/** Key of the short reason. `unknown` for a code that nobody has described. */
export const failureReason = (code: string | undefined): FailureRule['why'] => ruleOf(code).why

export const failureStep = (code: string | undefined): FailureStep => ruleOf(code).next

/**
 * The next step after a failure, without its words.
 * @param failedAt ISO 8601
 */
export const nextAfterFailure = (code: string, failedAt: string): Pick<FailureNext, 'step' | 'until'> => {
  const rule = ruleOf(code)
  if (!('waitMs' in rule)) return { step: rule.next }
  return { step: rule.next, until: new Date(Date.parse(failedAt) + rule.waitMs).toISOString() }
}

const repeatable: ReadonlySet<FailureStep> = new Set([
  'retry',
  'wait',
  'checkChat',
  'reconnect',
  'pay',
  'atMeta',
  'sendAnyway',
])
/** True if sending the same again can help, at once or after the step. */
export const canRetryAfter = (step: FailureStep): boolean => repeatable.has(step)
