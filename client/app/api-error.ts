import type { WireError } from '#shared/kernel/error.ts'

/** A refused or failed call. `status` 0: no answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string
  readonly details: NonNullable<WireError['details']>
  /** When the same call is worth another try. Undefined: the server did not say. */
  readonly retryAfterSeconds: number | undefined
  /** HTTP status text. Empty without an answer. */
  readonly statusText: string
  /** The answer's body. Undefined: none. */
  readonly body: unknown
  constructor(facts: {
    status: number
    code: string
    message: string
    requestId?: string
    details?: WireError['details']
    retryAfterSeconds?: number | undefined
    statusText?: string
    body?: unknown
    cause?: unknown
  }) {
    super(facts.message, { cause: facts.cause })
    this.status = facts.status
    this.code = facts.code
    this.requestId = facts.requestId ?? ''
    this.details = facts.details ?? []
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.statusText = facts.statusText ?? ''
    this.body = facts.body
  }
}

const isWireError = (value: unknown): value is WireError =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value

interface Answer {
  readonly status: number
  readonly statusText: string
  /** Empty: the answer is not the server's. */
  readonly requestId: string
}

/** The error of an unsuccessful answer, also of a proxy's HTML page. `body` undefined or null: not readable. */
export const refusalOf = (body: unknown, { status, statusText, requestId }: Answer): ApiError =>
  isWireError(body)
    ? new ApiError({ ...body, status })
    : new ApiError({ status, code: 'APP_UNAVAILABLE', message: statusText, requestId })

/** By name, because on the server the class exists twice: in the page bundle and outside. */
export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError'

/** Whether the text is the server's own, not a proxy's. */
export const isFromServer = ({ requestId, message }: ApiError): boolean => requestId !== '' && message !== ''

/** The error text to show beside a field. */
export const faultOf = (error: unknown, field: string): string | undefined =>
  isApiError(error) ? error.details.find(detail => detail.field === field)?.message : undefined
