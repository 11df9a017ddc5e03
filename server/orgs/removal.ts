import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, isoIn, isoNow } from '../clock.ts'
import { type Databases, inTransaction } from '../db.ts'
import type { Log } from '../log.ts'
import { getOrganization } from './member-store.ts'
import {
  batches,
  deleteBatch,
  deleteOrganization,
  findHidden,
  hideOrganization,
  listHalfMade,
} from './removal-store.ts'

type Organization = Awaited<ReturnType<typeof getOrganization>>

export interface RemovalParts {
  databases: Databases
  clock: Clock
  log: Log
  /** What is kept in memory of numbers must be asked again. */
  forgetNumbers(): void
  removeFiles(orgId: string): Promise<void>
}

/** Between two batches everybody else writes. */
const restMs = 10
const troubleMs = 30_000
/** A creation under way takes a moment. */
const halfMadeAfterMs = 60_000

/**
 * The end of an organization: out of sight in one small transaction, its rows a few hundred at a time afterwards. What
 * is left when the process ends goes on at the next start.
 */
export function createRemoval({ databases, clock, log, forgetNumbers, removeFiles }: RemovalParts) {
  const bornAt = isoNow(clock)
  let running: Promise<void> | undefined
  let stopping = false
  let timer: NodeJS.Timeout | undefined

  const deleteRows = async (orgId: string) => {
    for (const batch of batches)
      for (let gone: number = batch.rows; gone === batch.rows; await pause(restMs)) {
        if (stopping) return
        gone = await inTransaction(databases, trx => deleteBatch(trx, orgId, batch))
      }
    await removeFiles(orgId)
    await inTransaction(databases, trx => deleteOrganization(trx, orgId))
    log.info({ orgId }, 'an organization was deleted with all its rows')
  }

  const run = async () => {
    try {
      for (let orgId = await findHidden(databases.read); orgId && !stopping; orgId = await findHidden(databases.read))
        await deleteRows(orgId)
    } catch (error) {
      log.error({ err: error }, 'the deletion of an organization waits')
      if (!stopping) timer = setTimeout(wake, troubleMs).unref()
    }
  }
  const wake = () => {
    clearTimeout(timer)
    if (stopping) return
    running ??= run().finally(() => {
      running = undefined
    })
  }

  const hide = async (orgId: string): Promise<Organization | undefined> => {
    const hidden = await inTransaction(databases, async trx => {
      const org = await getOrganization(trx, orgId)
      return (await hideOrganization(trx, orgId, isoNow(clock))) ? org : undefined
    })
    if (hidden) forgetNumbers()
    wake()
    return hidden
  }

  const hideHalfMade = async (before: string): Promise<number> => {
    const found = await listHalfMade(databases.read, before)
    for (const { id } of found) {
      log.warn({ orgId: id }, 'an organization that was never finished is deleted')
      await hide(id)
    }
    return found.length
  }

  return {
    /**
     * Takes an organization out of sight; answers it as it was, undefined when it is out of sight already.
     * @throws when there is none of that id
     */
    hide,
    /** Goes on with what an earlier process left; what that one had half made can be made anew. */
    start() {
      running ??= hideHalfMade(bornAt)
        .catch(error => log.error({ err: error }, 'half made organizations could not be looked for'))
        .then(run)
        .finally(() => {
          running = undefined
        })
    },
    /** For the hourly round: what failed without the process dying. */
    healHalfMade: () => hideHalfMade(isoIn(clock, -halfMadeAfterMs)),
    /** Resolves when nothing is left to delete. For tests. */
    async idle() {
      while (running) await running
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      while (running) await running
    },
  }
}
