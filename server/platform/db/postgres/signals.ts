import pg from 'pg'
import type { Signals, SignalTopic } from '../signals.ts'

/** Delay of a lost signal, and of the next attempt to connect. */
const lookEveryMs = 1_000
/** A PostgreSQL notification has less than 8,000 bytes. */
const maxChars = 3_000

/** Missing in the package's types. */
type ListeningClient = pg.Client & { readonly processID: number; ref(): void; unref(): void }

type Word = readonly [topic: SignalTopic, detail: string | null]

/** Packs messages into as few notifications as possible. */
const packed = (words: readonly Word[]): string[] => {
  const packs: Word[][] = []
  let chars = maxChars
  for (const word of words) {
    const length = JSON.stringify(word).length
    if (chars + length > maxChars) {
      packs.push([])
      chars = 0
    }
    packs.at(-1)?.push(word)
    chars += length
  }
  return packs.map(pack => JSON.stringify(pack))
}

/** Uses a connection of its own, opened with the first listener and reopened when it is lost. */
export function openSignals(
  config: pg.ClientConfig,
  channel: string,
  onLoss: (error: Error) => void,
): Signals & { close(): Promise<void> } {
  const hearers = new Map<SignalTopic, Set<(detail: string | undefined) => void>>()
  let client: ListeningClient | undefined
  let connecting: Promise<void> | undefined
  let words = new Map<string, Word>()
  let timer: NodeJS.Timeout | undefined
  let isFlushing = false
  let isClosed = false

  const tell = ([topic, detail]: Word) => {
    for (const hearer of hearers.get(topic) ?? []) hearer(detail ?? undefined)
  }
  const tellAll = () => {
    for (const topic of hearers.keys()) tell([topic, null])
  }

  const forget = (lost: pg.Client) => {
    if (client === lost) client = undefined
  }

  const connect = async () => {
    const next = new pg.Client(config) as ListeningClient
    next.on('error', error => {
      forget(next)
      if (!isClosed) onLoss(error)
    })
    next.on('end', () => forget(next))
    next.on('notification', ({ processId, payload }) => {
      if (processId === next.processID) return
      for (const word of JSON.parse(payload ?? '[]') as Word[]) tell(word)
    })
    try {
      await next.connect()
      // Listening keeps no process alive.
      next.unref()
      await next.query(`listen "${channel}"`)
    } catch {
      // Other work meets the same fault and reports it.
      await next.end().catch(() => undefined)
      return
    }
    if (isClosed) {
      await next.end().catch(() => undefined)
      return
    }
    client = next
  }

  const look = () => {
    if (!client)
      connecting ??= connect().finally(() => {
        connecting = undefined
      })
    tellAll()
  }

  /** One statement at a time: messages sent meanwhile go with the next one. */
  const flush = async () => {
    isFlushing = true
    while (client && words.size) {
      const packs = packed([...words.values()])
      words = new Map()
      await client
        .query('select pg_notify($1, pack) from unnest($2::text[]) as pack', [channel, packs])
        .catch(error => {
          if (!isClosed) onLoss(error as Error)
        })
    }
    words = new Map()
    isFlushing = false
  }

  return {
    isShared: true,
    send(topic, detail) {
      if (!client) return
      if (!words.size && !isFlushing) setImmediate(flush)
      words.set(`${topic} ${detail ?? ''}`, [topic, detail ?? null])
    },
    hear(topic, onSignal) {
      const those = hearers.get(topic) ?? new Set()
      hearers.set(topic, those.add(onSignal))
      if (timer || isClosed) return
      timer = setInterval(look, lookEveryMs).unref()
      look()
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await connecting
      client?.ref()
      await client?.end().catch(() => undefined)
    },
  }
}
