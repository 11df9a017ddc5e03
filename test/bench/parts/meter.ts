import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Loaded before every measured server. Reports the process's use, and ends it if the benchmark ends. */
export interface Reading {
  /** Microseconds of processor time since the start, user and system. */
  readonly cpu: number
  /** Resident bytes. */
  readonly resident: number
}

/** The maximum since the last question. */
export interface Peak {
  readonly resident: number
  /** The longest block of the event loop, in ms. */
  readonly heldMs: number
}

let most = 0
let delays: ReturnType<typeof monitorEventLoopDelay> | undefined
const watch = () => {
  delays = monitorEventLoopDelay({ resolution: 2 })
  delays.enable()
  setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20).unref()
}
process.on('message', (message: { ask?: string; id?: number }) => {
  if (message.ask !== 'peak') return
  const answer = {
    resident: Math.max(most, process.memoryUsage.rss()),
    heldMs: (delays?.max ?? 0) / 1e6,
  } satisfies Peak
  if (!delays) watch()
  delays?.reset()
  most = 0
  process.send?.({ id: message.id, answer })
})

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

process.on('message', (message: { ask?: string; id?: number }) => {
  if (message.ask !== 'meter' && message.ask !== 'settle') return
  const { user, system } = process.cpuUsage()
  // V8 keeps tens of megabytes for young objects, independent of the number of clients; this frees them.
  if (message.ask === 'settle')
    (globalThis as { gc?: Collect }).gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  process.send?.({
    id: message.id,
    answer: { cpu: user + system, resident: process.memoryUsage.rss() } satisfies Reading,
  })
})
process.on('disconnect', () => process.exit(1))
