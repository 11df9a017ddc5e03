import type { Databases } from '#server/platform/db/db.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { type Clock, isoIn } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { importKeptDays, importUndoDays } from '#shared/imports/limits.ts'
import type { Pieces } from '../creating/pieces.ts'
import { listBefore, listLeftFiles, listLeftTokens } from '../store.ts'
import type { StoredState } from '../table.ts'
import { removeImport } from './undoing.ts'

const prunedAtOnce = 50
const dayMs = 86_400_000
/** Long after the days in which an import can be undone. A failed or paused one counts as abandoned then. */
const forgottenAfterMs = 6 * importUndoDays * dayMs

interface PruningParts {
  readonly databases: Pick<Databases, 'read'>
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly pieces: Pieces
}

/** Deletes files of imports that have ended, imports that nobody began, and very old ones. Returns how many. */
export async function pruneImports(parts: PruningParts): Promise<number> {
  const { databases, clock, pieces } = parts
  const { read } = databases
  const removeFiles = async (limit: number) => {
    const left = await listLeftFiles(read, limit)
    for (const { id, org_id: orgId } of left) await pieces.remove(orgId, id)
    return left.length
  }
  const removeAll = async (old: Awaited<ReturnType<typeof listBefore>>) => {
    for (const { id, org_id: orgId } of old) await removeImport(parts, orgId, id)
    return old.length
  }
  const removeOld = (before: string, states: readonly StoredState[]) => async (limit: number) =>
    removeAll(await listBefore(read, { before, states, limit }))
  const longAgo = isoIn(clock, -importKeptDays * dayMs)
  const unfetched = async (limit: number) => removeAll(await listLeftTokens(read, { before: longAgo, limit }))
  const unbegun = removeOld(longAgo, ['uploading', 'ready', 'discarding'])
  const ended = removeOld(isoIn(clock, -forgottenAfterMs), ['done', 'failed', 'undone', 'paused'])
  let count = 0
  for (const batch of [removeFiles, unbegun, unfetched, ended]) count += await inBatches(prunedAtOnce, batch)
  return count
}
