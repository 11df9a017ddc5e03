import type { LiveEvents } from '#shared/live/api.ts'

/** An event encoded once for all its readers. */
export interface Frame {
  readonly seq: number
  /** User ids or roles (`audience.ts`). Null: everybody who may read chats. */
  readonly audience: readonly string[] | null
  /**
   * Only members who see it get the frame. Null: about no conversation. Empty: about a conversation that no longer
   * exists.
   */
  readonly conversationId: string | null
  readonly bytes: Buffer
}

/** `json` is the event's data as stored; it is not parsed. */
export const frameOf = (event: {
  seq: number
  type: string
  number: string | null
  conversationId: string | null
  audience: readonly string[] | null
  json: string
}): Frame => ({
  seq: event.seq,
  audience: event.audience,
  conversationId: event.conversationId ?? (event.number === null ? null : ''),
  bytes: Buffer.from(`id: ${event.seq}\ndata: {"event":${JSON.stringify(event.type)},"data":${event.json}}\n\n`),
})

/**
 * Bytes shared by many sockets. `framed` includes HTTP's chunk header and trailer, so that a write needs no work per
 * client; `body` is the same memory without them.
 */
export interface Chunk {
  readonly framed: Buffer
  readonly body: Buffer
}

export const chunkOf = (parts: readonly Buffer[]): Chunk => {
  let length = 0
  for (const part of parts) length += part.length
  const head = `${length.toString(16)}\r\n`
  const framed = Buffer.allocUnsafeSlow(head.length + length + 2)
  let at = framed.write(head, 'latin1')
  const body = framed.subarray(at, at + length)
  for (const part of parts) at += part.copy(framed, at)
  framed.write('\r\n', at, 'latin1')
  return { framed, body }
}

const textChunk = (text: string) => chunkOf([Buffer.from(text)])

/** An EventSource reconnects after this time. */
const retryMs = 2000

/** A comment line: keeps proxies and sleeping networks from closing an idle stream. */
export const heartbeat: Chunk = textChunk(':\n\n')
export const greeting: Chunk = textChunk(`: recado\nretry: ${retryMs}\n\n`)

/**
 * Sets the reader's last event id without an event: a block of only `id:` is remembered and not dispatched. @see WHATWG
 * HTML §9.2.6
 */
export const place = (seq: number): Chunk => textChunk(`id: ${seq}\n\n`)

const unnumbered = <K extends 'resync' | 'goodbye'>(event: K, data: LiveEvents[K]) =>
  `data: ${JSON.stringify({ event, data })}\n\n`

export const resyncAt = (seq: number): Chunk => textChunk(`${unnumbered('resync', {})}id: ${seq}\n\n`)

export type GoodbyeReason = LiveEvents['goodbye']['reason']
export const goodbyes: Readonly<Record<GoodbyeReason, Chunk>> = {
  signedOut: textChunk(unnumbered('goodbye', { reason: 'signedOut' })),
  notMember: textChunk(unnumbered('goodbye', { reason: 'notMember' })),
  shutdown: textChunk(unnumbered('goodbye', { reason: 'shutdown' })),
}
