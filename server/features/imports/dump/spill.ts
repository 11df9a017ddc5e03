import { openSpill, type Spill, SpillFull } from '#server/platform/db/sqlite/spill-store.ts'
import { ImportStopped } from '../work/stopped.ts'

/** Gives `fill` a temporary file for what does not fit into memory; its result closes the file. @throws ImportStopped */
export async function withSpill<T>(fill: (spill: Spill) => Promise<T>): Promise<T> {
  const spill = openSpill()
  try {
    return await fill(spill)
  } catch (error) {
    spill.close()
    if (error instanceof SpillFull) throw new ImportStopped('zipSize', { cause: error })
    throw error
  }
}
