import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Repeats a batch until it finds fewer rows than its limit. Returns the total. One statement over any number of rows would
 * block the only writer; between two batches others can write.
 */
export async function inBatches(limit: number, batch: (limit: number) => Promise<number>): Promise<number> {
  for (let total = 0; ; await nextTurn()) {
    const rows = await batch(limit)
    total += rows
    if (rows < limit) return total
  }
}
