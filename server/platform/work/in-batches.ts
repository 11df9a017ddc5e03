import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Runs a batch again and again until one finds fewer rows than it may take; answers how many in all. For any number of
 * rows: one statement over all of them would hold the only writer, and between two batches everybody else has a turn.
 */
export async function inBatches(limit: number, batch: (limit: number) => Promise<number>): Promise<number> {
  for (let total = 0; ; await nextTurn()) {
    const rows = await batch(limit)
    total += rows
    if (rows < limit) return total
  }
}
