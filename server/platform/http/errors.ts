/** An expected error: a code and facts, no text. `message` is translated when it is sent. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: string
  readonly status: number
  readonly params: Readonly<Record<string, string | number>>
  /** Names of the invalid fields, in the notation of `shared/kernel/error.ts`. */
  readonly fields: readonly string[]
  readonly retryAfterSeconds: number | undefined
  /** The code whose text is shown; differs from `code` where a library's code is sent. */
  readonly textCode: string
  constructor(
    code: string,
    status: number,
    facts: {
      params?: Record<string, string | number>
      fields?: string[]
      retryAfterSeconds?: number
      textCode?: string
      cause?: unknown
    } = {},
  ) {
    super(code, { cause: facts.cause })
    this.code = code
    this.status = status
    this.params = facts.params ?? {}
    this.fields = facts.fields ?? []
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.textCode = facts.textCode ?? code
  }
}

type Maker = (facts?: ConstructorParameters<typeof AppError>[2]) => AppError

/** All codes, for the test of both languages and for the API page. */
export const errorCodes = new Map<string, number>()

/**
 * Defines a feature's error codes with their status: `defineErrors('INBOX', { CHAT_NOT_FOUND: 404 })` gives
 * `errors.CHAT_NOT_FOUND()` with code `INBOX_CHAT_NOT_FOUND` and text `errors:INBOX_CHAT_NOT_FOUND`.
 */
export function defineErrors<const T extends Record<string, number>>(
  prefix: string,
  table: T,
): { readonly [K in keyof T]: Maker } {
  const makers = {} as { [K in keyof T]: Maker }
  for (const name of Object.keys(table) as (keyof T & string)[]) {
    const code = `${prefix}_${name}`
    const status = table[name] as number
    errorCodes.set(code, status)
    makers[name] = facts => new AppError(code, status, facts)
  }
  return makers
}

export const appErrors = defineErrors('APP', {
  NOT_FOUND: 404,
  INTERNAL: 500,
  VALIDATION: 400,
  BAD_JSON: 400,
  BAD_TEXT: 400,
  WRONG_CONTENT_TYPE: 415,
  TOO_LARGE: 413,
  HEADERS_TOO_LARGE: 431,
  BAD_REQUEST: 400,
  REQUEST_TIMEOUT: 408,
  METRICS_TOKEN_REQUIRED: 401,
  SIGN_IN_REQUIRED: 401,
  FORBIDDEN: 403,
  KEY_INVALID: 401,
  /** It may be used from other networks only. */
  KEY_ELSEWHERE: 403,
  KEY_IN_ADDRESS: 400,
  PEOPLE_ONLY: 403,
  SECOND_FACTOR_REQUIRED: 403,
  /** The organization demands a second factor, which this member has not set up. */
  SECOND_FACTOR_DEMANDED: 403,
  SSO_REQUIRED: 403,
  /** A session made by an identity provider opens only that provider's organization. */
  OWN_SIGN_IN_REQUIRED: 403,
  ORGANIZATION_REQUIRED: 400,
  CROSS_ORIGIN: 403,
  TOO_MANY_REQUESTS: 429,
  /** The organization has reached its limit of these rows. @see rowLimits */
  TOO_MANY_KEPT: 409,
  UNAVAILABLE: 503,
  IDEMPOTENCY_MISMATCH: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  IDEMPOTENCY_KEY_INVALID: 400,
})

/** `APP_FORBIDDEN` with a text that names the missing right. */
export const forbidden = (capability: string): AppError =>
  appErrors.FORBIDDEN({ params: { capability }, textCode: 'APP_FORBIDDEN_CAPABILITY' })

/** The key's creator has the right, but the key was not made for it. */
export const outOfScope = (capability: string): AppError =>
  appErrors.FORBIDDEN({ params: { capability }, textCode: 'APP_FORBIDDEN_SCOPE' })
