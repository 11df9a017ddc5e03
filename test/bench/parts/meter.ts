/** Loaded ahead of every measured server: tells what the process has used. Ends it when the benchmark is gone. */
export interface Reading {
  /** Microseconds of processor time since the start, user and system. */
  readonly cpu: number
  /** Resident bytes. */
  readonly resident: number
}

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

process.on('message', (message: { ask?: string; id?: number }) => {
  if (message.ask !== 'meter' && message.ask !== 'settle') return
  const { user, system } = process.cpuUsage()
  // V8 keeps a pool of tens of megabytes for young objects however many clients there are; so it lets go of it.
  if (message.ask === 'settle')
    (globalThis as { gc?: Collect }).gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  process.send?.({
    id: message.id,
    answer: { cpu: user + system, resident: process.memoryUsage.rss() } satisfies Reading,
  })
})
process.on('disconnect', () => process.exit(1))
