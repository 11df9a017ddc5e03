import type { MessageToSend } from './message-body.ts'

/** What came back from an accepted send. Accepted is not delivered: the rest follows by status. */
export interface Accepted {
  wamid: string
  /** The spelling Meta uses for this customer; keep it. */
  waId?: string
  bsuid?: string
}

/** One of them is known. */
export interface Customer {
  readonly waId: string | null
  readonly bsuid: string | null
}

export interface NumberFacts {
  phone: string
  verifiedName: string | null
}

export interface MediaFile {
  body: AsyncIterable<Uint8Array>
  mime: string
  size: number | null
  sha256: string | null
}

/**
 * A WhatsApp number as the product sees it; Meta's Cloud API and the simulator stand behind the same client.
 * Every call rejects with `WhatsAppError` and nothing else.
 */
export interface WhatsAppNumber {
  /** Checks that the token may use this number and that the number belongs to the account. */
  check(signal?: AbortSignal): Promise<NumberFacts>
  /** So many people its business may write to first within 24 hours; `Infinity`: however many. Null: Meta does not say. */
  messagingLimit(signal?: AbortSignal): Promise<number | null>
  /** Ids of the catalogues that are linked to its account. */
  catalogueIds(signal?: AbortSignal): Promise<string[]>
  /** Makes the account's events come to this app. */
  subscribe(signal?: AbortSignal): Promise<void>
  /**
   * What was not accepted may have arrived all the same (`retry: 'unknown'`); of a reaction that does no harm. `onWire` is told
   * when the request is being written.
   */
  send(message: MessageToSend, signal?: AbortSignal, onWire?: () => void): Promise<Accepted>
  /** Marks this inbound message and all before it as read; with `typing` also shows that somebody writes. */
  markRead(wamid: string, options?: { typing?: boolean; signal?: AbortSignal }): Promise<void>
  /** Takes a customer onto the number's list of the blocked, or off it. Only who wrote within a day is taken onto it. */
  setBlocked(customer: Customer, isBlocked: boolean, signal?: AbortSignal): Promise<void>
  /**
   * Takes a chat from Meta's own agent, or gives it back (`pass`). Providers differ in where they take this, and a refusal
   * is no failure of the chat: a message takes it over as well.
   */
  controlThread(customer: Customer, action: 'take' | 'pass', signal?: AbortSignal): Promise<void>
  /** Copies a file to WhatsApp, streamed; answers the id that messages of this number name it by, for thirty days. */
  uploadFile(file: { bytes: Blob; mime: string }, signal?: AbortSignal): Promise<string>
  /** Streams a file; at most `maxBytes`, else it rejects. */
  fetchMedia(providerId: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<MediaFile>
}

/**
 * How a failure may be answered: `never` again as it is; `later` after `retryAfterMs`; `quick` a few times;
 * `credentials` stop the number until someone mends the token; `unknown` the request may have arrived, so it must
 * not be repeated, only reconciled.
 */
export type RetryClass = 'never' | 'later' | 'quick' | 'credentials' | 'unknown'

export class WhatsAppError extends Error {
  override readonly name = 'WhatsAppError'
  readonly code: string
  readonly retry: RetryClass
  readonly retryAfterMs: number | undefined
  readonly httpStatus: number | undefined
  readonly detail: string | undefined
  /** Meta's finer number, where its management endpoints give one. */
  readonly subcode: string | undefined
  constructor(facts: {
    /** Meta's number as text, or ours: `NETWORK`, `TIMEOUT`, `UNREADABLE`. */
    code: string
    message: string
    retry: RetryClass
    retryAfterMs?: number
    httpStatus?: number
    detail?: string | undefined
    subcode?: string | undefined
    cause?: unknown
  }) {
    super(facts.message, { cause: facts.cause })
    this.code = facts.code
    this.retry = facts.retry
    this.retryAfterMs = facts.retryAfterMs
    this.httpStatus = facts.httpStatus
    this.detail = facts.detail
    this.subcode = facts.subcode
  }
}
