import type { LiveEvent } from '#shared/live/api.ts'

/** The functions of the browser that a source needs. Tests replace them. */
export interface BrowserFunctions {
  fetch(
    url: string,
    init: { headers: Record<string, string>; signal: AbortSignal; cache: 'no-store' },
  ): Promise<Response>
  /** Monotonic milliseconds. */
  now(): number
  random(): number
  /** Returns how to cancel. */
  after(ms: number, run: () => void): () => void
}

/** A received event. `id` is missing for events about the stream itself. */
export type Arrival = LiveEvent & { id?: number }
export type EndReason = 'signedOut' | 'notMember'

interface SourceParts extends BrowserFunctions {
  readonly url: string
  /** The last received id. Undefined: start now. */
  last(): number | undefined
  onEvent(event: Arrival): void
  /** The stream's position without an event: after its start, and after `resync`. */
  onPlace(id: number): void
  onOpen(): void
  onAway(): void
  /** The connection is alive: bytes arrived, or it is being tried. */
  onBeat(): void
  /** The server ended it for good. */
  onEnd(reason: EndReason): void
}

export interface Source {
  close(): void
  /** The network may be back: retry at once. */
  retry(): void
}

const [firstWaitMs, longestWaitMs] = [1000, 30_000]
/** The server sends a heartbeat every 20 seconds. */
const longestQuietMs = 50_000
/** A stream that lived this long does not count as a failure. */
const steadyMs = 10_000

/** Half fixed, half random, so that a thousand browsers do not reconnect within one second. */
export const backoffMs = (attempt: number, random: number): number => {
  const most = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(attempt, 10))
  return most / 2 + (most / 2) * random
}

/**
 * One stream that reconnects from its last position. Uses `fetch`, because `EventSource` hides the status and the id.
 */
export function openSource(parts: SourceParts): Source {
  let closed = false
  let attempt = 0
  let abort = () => {}
  let wake = () => {}

  const end = (reason: EndReason) => {
    if (closed) return
    closed = true
    parts.onEnd(reason)
  }

  /** Returns true when the stream was ended regularly, so that the next one starts soon. */
  const read = (block: string): boolean => {
    let id: number | undefined
    let data = ''
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) id = Number(line.slice(4))
      else if (line.startsWith('data: ')) data += line.slice(6)
    }
    if (!data) {
      if (id !== undefined) parts.onPlace(id)
      return false
    }
    let event: Arrival
    try {
      event = JSON.parse(data)
    } catch (error) {
      console.error('Error al parsear el mensaje SSE', error)
      return false
    }
    if (event.event === 'goodbye') {
      if (event.data.reason === 'shutdown') return true
      end(event.data.reason)
    } else parts.onEvent(id === undefined ? event : { ...event, id })
    return false
  }

  /** One connection. Returns how long to wait before the next. */
  const live = async (): Promise<number> => {
    const controller = new AbortController()
    abort = () => controller.abort()
    let calm = () => {}
    const watch = () => {
      calm()
      calm = parts.after(longestQuietMs, abort)
      parts.onBeat()
    }
    const started = parts.now()
    let leaving = false
    let asked = 0
    try {
      watch()
      const last = parts.last()
      const response = await parts.fetch(parts.url, {
        headers: { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': String(last) }) },
        signal: controller.signal,
        cache: 'no-store',
      })
      if (response.status === 401) end('signedOut')
      else if (response.status === 403) end('notMember')
      else if (!response.ok || !response.body) asked = Number(response.headers.get('retry-after')) * 1000 || 0
      else {
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
        let rest = ''
        let open = false
        for (let part = await reader.read(); !part.done && !closed; part = await reader.read()) {
          watch()
          if (!open) parts.onOpen()
          open = true
          const blocks = (rest + part.value).split('\n\n')
          rest = blocks.pop() as string
          for (const block of blocks) if (!closed) leaving = read(block) || leaving
        }
      }
    } catch {
      // Every failure is handled alike: retry with a growing pause.
    } finally {
      calm()
      controller.abort()
    }
    if (leaving || parts.now() - started >= steadyMs) attempt = 0
    return Math.max(asked, backoffMs(attempt++, parts.random()))
  }

  const run = async () => {
    while (!closed) {
      const waitMs = await live()
      if (closed) return
      parts.onAway()
      await new Promise<void>(resolve => {
        const cancel = parts.after(waitMs, resolve)
        wake = () => {
          cancel()
          resolve()
        }
      })
    }
  }
  void run()

  return {
    close() {
      closed = true
      abort()
      wake()
    },
    retry: () => wake(),
  }
}
