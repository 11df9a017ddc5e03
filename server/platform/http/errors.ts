/** An expected refusal: a code and facts, never text; `message` is translated where it is sent. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: string
  readonly status: number
  readonly params: Readonly<Record<string, string | number>>
  /** Names of the fields at fault, in the notation of `shared/kernel/error.ts`. */
  readonly fields: readonly string[]
  readonly retryAfterSeconds: number | undefined
  /** Whose sentence is said; its own, unless a library's code stands on the wire. */
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

/** All codes that exist, for the test that walks both languages and for the API page. */
export const errorCodes = new Map<string, number>()

/**
 * Declares a room's codes with their status: `defineErrors('INBOX', { CHAT_NOT_FOUND: 404 })` gives
 * `errors.CHAT_NOT_FOUND()` with the code `INBOX_CHAT_NOT_FOUND`, translated by `errors:INBOX_CHAT_NOT_FOUND`.
 */
export function defineErrors<const T extends Record<string, number>>(
  room: string,
  table: T,
): { readonly [K in keyof T]: Maker } {
  const makers = {} as { [K in keyof T]: Maker }
  for (const name of Object.keys(table) as (keyof T & string)[]) {
    const code = `${room}_${name}`
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
  SIGN_IN_REQUIRED: 401,
  FORBIDDEN: 403,
  KEY_INVALID: 401,
  KEY_IN_ADDRESS: 400,
  PEOPLE_ONLY: 403,
  SECOND_FACTOR_REQUIRED: 403,
  /** The organization asks for a second factor, which this member has not set up. */
  SECOND_FACTOR_DEMANDED: 403,
  SSO_REQUIRED: 403,
  /** A provider's session opens its organization alone. */
  OWN_SIGN_IN_REQUIRED: 403,
  ORGANIZATION_REQUIRED: 400,
  CROSS_ORIGIN: 403,
  TOO_MANY_REQUESTS: 429,
  /** The organization keeps as many of these as it may. @see rowLimits */
  TOO_MANY_KEPT: 409,
  UNAVAILABLE: 503,
  IDEMPOTENCY_MISMATCH: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  IDEMPOTENCY_KEY_INVALID: 400,
})

/** Refused for want of a right, which its sentence names; on the wire it is `APP_FORBIDDEN`. */
export const forbidden = (capability: string): AppError =>
  appErrors.FORBIDDEN({ params: { capability }, textCode: 'APP_FORBIDDEN_CAPABILITY' })

/** Refused to a key of somebody who may, since it was not made for that. */
export const outOfScope = (capability: string): AppError =>
  appErrors.FORBIDDEN({ params: { capability }, textCode: 'APP_FORBIDDEN_SCOPE' })
