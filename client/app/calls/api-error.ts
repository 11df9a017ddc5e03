import type { WireError } from '#shared/kernel/error.ts'

/** A refused or failed call. `status` 0: no answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string
  readonly details: NonNullable<WireError['details']>
  /** The server asks to wait this long before the same call is tried again. `undefined` if it does not say. */
  readonly retryAfterSeconds: number | undefined
  /** HTTP status text. An empty string if no response arrived. */
  readonly statusText: string
  /** The response body. `undefined` if there is none. */
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

/**
 * Makes the error of an unsuccessful response, also from a proxy's HTML page. `body` is undefined or null if it could
 * not be parsed.
 */
export const readApiError = (body: unknown, { status, statusText, requestId }: Answer): ApiError =>
  isWireError(body)
    ? new ApiError({ ...body, status })
    : new ApiError({ status, code: 'APP_UNAVAILABLE', message: statusText, requestId })

/** Compares the name, because on the server the class exists twice: in the page bundle and outside it. */
export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError'

/** A proxy's error has no text of the server. */
export const isFromServer = ({ requestId, message }: ApiError): boolean => requestId !== '' && message !== ''

/** Returns the error text of a field, or of a part of it, such as one entry of a record. */
export const faultBelow = (error: unknown, field: string): string | undefined =>
  isApiError(error)
    ? error.details.find(detail => detail.field === field || detail.field.startsWith(`${field}.`))?.message
    : undefined

/** Returns the error text to show next to a field. */
export const fieldFault = (error: unknown, field: string): string | undefined =>
  isApiError(error) ? error.details.find(detail => detail.field === field)?.message : undefined
