import { Type } from 'typebox'
import type { Databases } from '#server/platform/db/db.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { WhatsAppAccount } from '#server/whatsapp/management/account.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import { templateErrors } from '../errors.ts'
import { refusal } from '../writing/refusals.ts'
import { findSync, isReadable, saveSync } from './sync-store.ts'
import { createSyncWriting, type SyncOutcome } from './sync-writing.ts'

export interface SyncParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  /** The connected account. Undefined: no number is connected. */
  openAccount(orgId: string): Promise<{ account: WhatsAppAccount; wabaId: string } | undefined>
}

/** Webhooks report changes at once. This finds what they missed. */
const everyMs = 6 * 3_600_000
const afterFailureMs = 30 * 60_000
/** After a connection or change the list is read once, after this time. */
const readAfterMs = 5_000
const listsAtOnce = 8

/** Updates the stored templates from Meta's list: on demand, and by a job of each connected organization. */
export function createTemplateSync(parts: SyncParts) {
  const { databases, clock, log, jobs } = parts
  const writeList = createSyncWriting(parts)

  const noteFailure = async (orgId: string, wabaId: string, code: string) => {
    const known = await findSync(databases.read, orgId)
    const syncedAt = known?.wabaId === wabaId ? known.syncedAt : null
    await saveSync(databases.write, orgId, { wabaId, syncedAt, failure: code })
  }

  const running = new Map<string, Promise<SyncOutcome>>()

  const run = async (orgId: string): Promise<SyncOutcome> => {
    const connected = await parts.openAccount(orgId)
    if (!connected) throw templateErrors.NOT_CONNECTED()
    const { account, wabaId } = connected
    const startedAt = isoNow(clock)
    try {
      const { templates, unreadable } = await account.listTemplates()
      if (unreadable) log.warn({ orgId, unreadable }, 'templates that cannot be read were left out')
      return await writeList(orgId, wabaId, templates, startedAt)
    } catch (error) {
      if (!(error instanceof WhatsAppError)) throw error
      await noteFailure(orgId, wabaId, error.code)
      throw refusal(error) ?? error
    }
  }

  /** Reads Meta's list now. Concurrent calls share one run. @throws TEMPLATES_NOT_CONNECTED, TEMPLATES_… of Meta */
  const sync = (orgId: string): Promise<SyncOutcome> => {
    const known = running.get(orgId)
    if (known) return known
    const work = run(orgId).finally(() => running.delete(orgId))
    running.set(orgId, work)
    return work
  }

  const queue = jobs.register({
    name: 'templates.sync',
    looksWithinMs: everyMs,
    payload: Type.Object({}),
    atOnce: listsAtOnce,
    isKept: false,
    async run({ orgId }) {
      try {
        // The job is added again when that changes.
        if (!(await isReadable(databases.read, orgId))) return undefined
        await sync(orgId)
        return { kind: 'again', afterMs: everyMs }
      } catch (error) {
        log.warn({ err: error, orgId }, 'the templates of an organization could not be read')
        return { kind: 'again', afterMs: afterFailureMs }
      }
    },
    lost: () => ({ kind: 'again', afterMs: readAfterMs }),
  })

  const reschedule = async ({ db, orgId }: OrgWrite) => {
    // The result of a running read is ignored: it may have begun before the change.
    await queue.cancel(db, orgId)
    await queue.add(db, orgId, [{ payload: {}, uniqueKey: 'sync', dueAt: isoIn(clock, readAfterMs) }])
  }

  const listener: TransactionListener<'connection.changed'> = {
    name: 'template sync',
    on: ['connection.changed'],
    handle: write => reschedule(write),
  }

  return {
    sync,
    /** The last reading of the list, and the last failure. Undefined: it was never read. */
    stateOf: (orgId: string) => findSync(databases.read, orgId),
    /** Schedules a read, in the caller's transaction. */
    askFor: reschedule,
    /** Reads the list of connected numbers regularly. The job checks whether they are connected. */
    listener,
  }
}
export type TemplateSyncService = ReturnType<typeof createTemplateSync>
