import type { WireError } from '#shared/kernel/error.ts'

/** A refused or failed call, in the words of the wire; `status` 0 means that nobody answered. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string
  readonly details: NonNullable<WireError['details']>
  /** After so long the same call is worth another try; undefined: nobody said. */
  readonly retryAfterSeconds: number | undefined
  /** The status text of the HTTP answer; empty when there was no answer. */
  readonly statusText: string
  /** The answer as it was read; undefined: there was none. */
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

/** What an answer that is no success becomes; a proxy's HTML page, too. `body` undefined or null: not readable. */
export const refusalOf = (body: unknown, { status, statusText, requestId }: Answer): ApiError =>
  isWireError(body)
    ? new ApiError({ ...body, status })
    : new ApiError({ status, code: 'APP_UNAVAILABLE', message: statusText, requestId })

/** By name, not by class: on the server the class exists twice, in the page bundle and beside it. */
export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError'

/** Whether its words are the server's own; else somebody on the way answered, a proxy with a page of its own. */
export const isFromServer = ({ requestId, message }: ApiError): boolean => requestId !== '' && message !== ''

/** The text of one field's fault, for the place beside the field. */
export const faultOf = (error: unknown, field: string): string | undefined =>
  isApiError(error) ? error.details.find(detail => detail.field === field)?.message : undefined
