import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'

const threads = '/proc/self/task'
/** What V8 names the threads that mark and sweep beside the event loop. */
const collectorName = 'V8Worker'
const niceness = 10

/**
 * On a machine whose cores are all at work, threads that collect garbage take their share from the only one that
 * answers: each full collection then stops the house for a tenth of a second and more. They get what is left, which on a
 * machine with an idle core is all they want. Linux only; answers how many threads it found.
 */
export function stepBackCollectors(): number {
  if (process.platform !== 'linux') return 0
  let found = 0
  try {
    for (const id of readdirSync(threads)) {
      if (readFileSync(`${threads}/${id}/comm`, 'utf8').trim() !== collectorName) continue
      os.setPriority(Number(id), niceness)
      found += 1
    }
  } catch {
    // A system that shows no threads, or lets nobody step back, keeps them as they are: slower, and nothing else.
  }
  return found
}
