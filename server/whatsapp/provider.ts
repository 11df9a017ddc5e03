import type { MessageToSend } from './message-body.ts'

/** The answer to an accepted send. Accepted is not delivered; statuses follow. */
export interface Accepted {
  wamid: string
  /** Meta's spelling of this customer's number, to be stored. */
  waId?: string
  bsuid?: string
}

/** The identifiers of a customer, at least one of which is known. */
interface CustomerAddress {
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

/** A WhatsApp number, at Meta's Cloud API or at the simulator. Every call rejects with `WhatsAppError` only. */
export interface WhatsAppNumber {
  /** Checks that the token may use this number and that the number belongs to the account. */
  check(signal?: AbortSignal): Promise<NumberFacts>
  /** People whom the business may write to first within 24 hours; `Infinity`: no limit. Null: Meta does not say. */
  messagingLimit(signal?: AbortSignal): Promise<number | null>
  /** Ids of the catalogues linked to the account. */
  catalogueIds(signal?: AbortSignal): Promise<string[]>
  /** Subscribes this app to the account's events. */
  subscribe(signal?: AbortSignal): Promise<void>
  /**
   * A send that failed may have arrived all the same (`retry: 'unknown'`). `onWire` is called when the request is being
   * written.
   */
  send(message: MessageToSend, signal?: AbortSignal, onWire?: () => void): Promise<Accepted>
  /** Marks this incoming message and all before it as read; `typing` also shows that somebody is writing. */
  markRead(wamid: string, options?: { typing?: boolean; signal?: AbortSignal }): Promise<void>
  /** Blocks or unblocks a customer for this number. Only a customer who wrote within a day can be blocked. */
  setBlocked(customer: CustomerAddress, isBlocked: boolean, signal?: AbortSignal): Promise<void>
  /**
   * Takes a chat from Meta's agent, or passes it back. Providers differ in where they support this; a refusal may be
   * ignored, because sending a message takes the chat too.
   */
  controlThread(customer: CustomerAddress, action: 'take' | 'pass', signal?: AbortSignal): Promise<void>
  /** Streams a file to WhatsApp; returns the id by which messages of this number refer to it, for thirty days. */
  uploadFile(file: { bytes: Blob; mime: string }, signal?: AbortSignal): Promise<string>
  /** Streams a file; rejects beyond `maxBytes`. */
  fetchMedia(providerId: string, options: { maxBytes: number; signal?: AbortSignal }): Promise<MediaFile>
}

/**
 * The reaction to a failure: `never` retry unchanged; `later`: after `retryAfterMs`; `quick`: a few times;
 * `credentials`: stop the number until somebody fixes the token; `unknown`: the request may have arrived, so do not
 * repeat it but wait for a status.
 */
export type RetryClass = 'never' | 'later' | 'quick' | 'credentials' | 'unknown'

export class WhatsAppError extends Error {
  override readonly name = 'WhatsAppError'
  readonly code: string
  readonly retry: RetryClass
  readonly retryAfterMs: number | undefined
  readonly httpStatus: number | undefined
  readonly detail: string | undefined
  /** Meta's subcode, where its management endpoints give one. */
  readonly subcode: string | undefined
  /** Meta's text for people, where its management endpoints give one. */
  readonly forPeople: { readonly title: string; readonly message: string } | undefined
  constructor(facts: {
    /** Meta's code as text, or one of ours: `NETWORK`, `TIMEOUT`, `UNREADABLE`. */
    code: string
    message: string
    retry: RetryClass
    retryAfterMs?: number
    httpStatus?: number
    detail?: string | undefined
    subcode?: string | undefined
    forPeople?: { readonly title: string; readonly message: string } | undefined
    cause?: unknown
  }) {
    super(facts.message, { cause: facts.cause })
    this.code = facts.code
    this.retry = facts.retry
    this.retryAfterMs = facts.retryAfterMs
    this.httpStatus = facts.httpStatus
    this.detail = facts.detail
    this.subcode = facts.subcode
    this.forPeople = facts.forPeople
  }
}
