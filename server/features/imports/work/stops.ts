import type { Databases } from '#server/platform/db/db.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import { findState, type StoredImport } from '../store.ts'

interface Running {
  readonly one: Pick<StoredImport, 'id' | 'org_id' | 'state'>
  readonly stop: AbortController
}

/** Ends the work on an import that a person stops, also while it waits for a file that comes slowly. */
export function createStops({ read, signals }: Pick<Databases, 'read' | 'signals'>) {
  const running = new Map<string, Running>()
  const lookAt = async ({ one, stop }: Running) => {
    if ((await findState(read, one.org_id, one.id)) !== one.state) stop.abort()
  }
  signals.hear('imports', id => {
    if (id !== undefined) running.get(id)?.stop.abort()
    // A signal may be lost. Without an answer the next look tells.
    else for (const each of running.values()) lookAt(each).catch(() => undefined)
  })
  return {
    /** Runs work that ends as released when its signal aborts. Where a person stopped it, its job looks at the state again. */
    async during(
      one: Running['one'],
      signal: AbortSignal,
      run: (signal: AbortSignal) => Promise<Outcome | undefined>,
    ): Promise<Outcome | undefined> {
      const stop = new AbortController()
      running.set(one.id, { one, stop })
      try {
        const outcome = await run(AbortSignal.any([signal, stop.signal]))
        const isStopped = outcome?.kind === 'released' && !signal.aborted
        return isStopped ? { kind: 'again', afterMs: 0 } : outcome
      } finally {
        running.delete(one.id)
      }
    },
    /** Call it in the write that stops an import. */
    stop({ afterCommit }: Pick<OrgWrite, 'afterCommit'>, id: string): void {
      afterCommit(() => {
        running.get(id)?.stop.abort()
        signals.send('imports', id)
      })
    },
  }
}

export type ImportStops = ReturnType<typeof createStops>
