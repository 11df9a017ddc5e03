import { inSavepoint } from '#server/platform/db/db.ts'
import type { OrgWrite } from './write.ts'

type Effects = Pick<OrgWrite, 'afterCommit' | 'afterRollback'>

/**
 * Runs a part of a write in a savepoint, because it may fail on its own. On failure its changes are rolled back, its `afterCommit` effects
 * dropped and its `afterRollback` effects run. Returns the error, or undefined. Database faults are thrown.
 */
export async function runInSavepoint(write: OrgWrite, part: (effects: Effects) => Promise<void>): Promise<unknown> {
  const following: (() => void)[] = []
  const undoing = new Set<() => void>()
  const failed = await inSavepoint<{ error: unknown } | undefined>(
    write.db,
    async () => {
      await part({
        afterCommit: effect => void following.push(effect),
        afterRollback(effect) {
          undoing.add(effect)
          write.afterRollback(() => undoing.has(effect) && effect())
        },
      })
      return undefined
    },
    error => ({ error }),
  )
  if (!failed) {
    for (const effect of following) write.afterCommit(effect)
    return undefined
  }
  for (const effect of undoing) {
    undoing.delete(effect)
    effect()
  }
  return failed.error ?? new Error('A listener threw an empty value')
}
