import type { BrowserFunctions } from '#client/live/source.ts'
import type { Channel, Lock, TabWord } from '#client/live/tabs.ts'

/** Lets everything in progress finish. */
export const settle = async (turns = 12) => {
  for (let i = 0; i < turns; i += 1) await new Promise(resolve => setImmediate(resolve))
}

/** A clock that advances when the test says so. */
export const handTime = () => {
  let now = 0
  let timers: { at: number; run: () => void }[] = []
  return {
    now: () => now,
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter(one => one !== timer)
      }
    },
    async pass(ms: number) {
      const end = now + ms
      for (;;) {
        const next = timers.filter(timer => timer.at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        now = next.at
        timers = timers.filter(timer => timer !== next)
        next.run()
        await settle()
      }
      now = end
    },
  }
}

interface Connection {
  readonly send: (text: string) => void
  readonly end: () => void
  readonly lastEventId: string | null
}

/** A server that streams like ours: replay after the last id, then live. */
export const handServer = () => {
  const encoder = new TextEncoder()
  const log: string[] = []
  const open = new Set<Connection>()
  const server = {
    log,
    open,
    asked: 0,
    /** Replaces the stream: refuses, or does not respond at all. */
    refuse: undefined as (() => Promise<Response>) | undefined,
    head: () => log.length,
    publish(text = `m${log.length + 1}`) {
      const block = `id: ${log.length + 1}\ndata: ${JSON.stringify({ event: 'human', data: { message: text, number: '1' } })}\n\n`
      log.push(block)
      for (const one of open) one.send(block)
    },
    cut() {
      for (const one of [...open]) one.end()
    },
    say(event: string, data: unknown) {
      for (const one of [...open]) one.send(`data: ${JSON.stringify({ event, data })}\n\n`)
    },
    async fetch(_url: string, init: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response> {
      server.asked += 1
      await Promise.resolve()
      if (server.refuse) return server.refuse()
      if (init.signal.aborted) throw init.signal.reason
      const lastEventId = init.headers['last-event-id'] ?? null
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const connection: Connection = {
            lastEventId,
            send: text => controller.enqueue(encoder.encode(text)),
            end() {
              if (open.delete(connection)) controller.close()
            },
          }
          open.add(connection)
          init.signal.addEventListener('abort', () => {
            if (open.delete(connection)) controller.error(init.signal.reason)
          })
          connection.send(': recado\nretry: 2000\n\n')
          if (lastEventId === null) connection.send(`id: ${log.length}\n\n`)
          else for (const block of log.slice(Number(lastEventId))) connection.send(block)
        },
      })
      return new Response(body, { status: 200 })
    },
  }
  return server
}

/** The state that the tabs of one browser share. */
export const handBrowser = () => {
  const ears = new Map<Channel, boolean>()
  let holder: { lead: () => void; yielded: () => void } | undefined
  let queue: { lead: () => void; yielded: () => void }[] = []
  const next = () => {
    if (holder) return
    holder = queue.shift()
    if (holder) setImmediate(holder.lead)
  }
  return {
    channel(): Channel & { frozen: boolean } {
      const kept: TabWord[] = []
      let frozen = false
      const channel = {
        hear: (_word: TabWord) => {},
        post(word: TabWord) {
          for (const other of ears.keys())
            if (other !== channel) {
              const copy = structuredClone(word)
              setImmediate(() => (other as typeof channel).receive(copy))
            }
        },
        receive(word: TabWord) {
          if (frozen) kept.push(word)
          else if (ears.has(channel)) channel.hear(word)
        },
        close() {
          ears.delete(channel)
        },
        get frozen() {
          return frozen
        },
        set frozen(now: boolean) {
          frozen = now
          if (!now) for (const word of kept.splice(0)) channel.hear(word)
        },
      }
      ears.set(channel, true)
      return channel
    },
    lock(): Lock {
      let mine: { lead: () => void; yielded: () => void } | undefined
      const release = () => {
        queue = queue.filter(one => one !== mine)
        if (holder && holder === mine) holder = undefined
        mine = undefined
        next()
      }
      return {
        request(steal, lead, yielded) {
          release()
          mine = { lead, yielded }
          if (steal && holder) {
            const old = holder
            holder = mine
            setImmediate(old.yielded)
            setImmediate(lead)
            return
          }
          queue.push(mine)
          next()
        },
        release,
      }
    },
  }
}

export type World = Pick<BrowserFunctions, 'now' | 'after' | 'random'>
