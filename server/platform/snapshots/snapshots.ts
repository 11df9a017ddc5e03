import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Letter, Mail } from '#server/platform/mail/mail.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import {
  beginSnapshot,
  deleteSnapshotsBefore,
  endSnapshot,
  findLast,
  forgetFile,
  listUsable,
  markMailed,
  type Snapshot,
} from './store.ts'

/** Why a backup is unusable. `damaged`: what was read back differs from what was written. */
type SnapshotFault = 'damaged' | 'noRoom' | 'failed'

export type Taken =
  | { readonly bytes: number; readonly rows: number }
  | { readonly fault: SnapshotFault; readonly reason: string }

interface SnapshotParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly ids: () => string
  readonly jobs: Jobs
  readonly mail: Pick<Mail, 'send'>
  readonly folder: string
  /** The number of backups that are kept. 0 turns them off. */
  readonly keep: number
  /** Makes a backup and opens it again, in a process of its own, because copying blocks its process. */
  take(file: string, signal: AbortSignal): Promise<Taken>
  listAdmins(): Promise<string[]>
  letterOf(to: string, fault: SnapshotFault, lastGood: string | null): Letter
}

/** The organization id of jobs that belong to the installation. */
const installation = ''
/** Hour of the night, by the machine's clock. */
const nightHour = 3
const againMs = 3_600_000
const dayMs = 86_400_000
/** While failures continue, people get one mail a day. */
const mailEveryMs = 20 * 3_600_000
const keptMs = 90 * dayMs

/** The time until the next night, at least an hour. */
const untilNight = (now: Date): number => {
  const night = new Date(now)
  night.setHours(nightHour, 0, 0, 0)
  while (night.getTime() - now.getTime() < againMs) night.setDate(night.getDate() + 1)
  return night.getTime() - now.getTime()
}

const nameOf = (at: string) => `recado-${at.slice(0, 19).replaceAll(':', '-')}.backup`

/**
 * A backup each night, opened again and counted; the oldest beyond `keep` are deleted. A failed one is retried within the
 * hour, and site administrators get a mail.
 */
export function createSnapshots(parts: SnapshotParts) {
  const { databases, clock, log, jobs, folder, keep } = parts

  const tell = async (id: string, fault: SnapshotFault) => {
    const at = isoNow(clock)
    const isNews = await inTransaction(databases, trx => markMailed(trx, id, { at, since: isoIn(clock, -mailEveryMs) }))
    if (!isNews) return
    const [lastGood] = await listUsable(databases.read)
    for (const to of await parts.listAdmins()) {
      try {
        await parts.mail.send(parts.letterOf(to, fault, lastGood?.beganAt ?? null))
      } catch (error) {
        log.error({ err: error }, 'mailing site administrators about a failed backup failed')
      }
    }
  }

  /** Called only after a newer backup is complete. */
  const deleteOldSnapshots = async () => {
    for (const old of (await listUsable(databases.read)).slice(keep)) {
      await rm(join(folder, old.file as string), { force: true })
      await inTransaction(databases, trx => forgetFile(trx, old.id))
    }
  }

  const make = async (file: string, signal: AbortSignal): Promise<Taken> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Deletes what a killed process left unfinished.
    for (const name of await readdir(folder))
      if (name.startsWith('.recado-') || name.endsWith('.part'))
        await rm(join(folder, name), { recursive: true, force: true })
    const taken = await parts.take(join(folder, file), signal)
    if ('fault' in taken) await rm(join(folder, file), { force: true })
    return taken
  }

  const take = async (signal: AbortSignal): Promise<boolean> => {
    const id = parts.ids()
    const beganAt = isoNow(clock)
    const file = nameOf(beganAt)
    await inTransaction(databases, trx => beginSnapshot(trx, id, beganAt))
    const taken = await make(file, signal).catch(
      (error: unknown): Taken => ({ fault: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    )
    // Not a failure: the process is stopping.
    if ('fault' in taken && signal.aborted) return false
    const endedAt = isoNow(clock)
    await inTransaction(databases, trx =>
      endSnapshot(
        trx,
        id,
        'fault' in taken ? { endedAt, failure: taken.fault } : { endedAt, file, bytes: taken.bytes, rows: taken.rows },
      ),
    )
    if ('fault' in taken) {
      log.error({ fault: taken.fault, reason: taken.reason }, 'the nightly backup failed')
      await tell(id, taken.fault)
      return false
    }
    log.info({ file, bytes: taken.bytes, rows: taken.rows }, 'the nightly backup was made and opened again')
    await deleteOldSnapshots()
    return true
  }

  const queue = jobs.register({
    name: 'snapshots.nightly',
    looksWithinMs: dayMs + 2 * againMs,
    payload: Type.Object({}),
    atOnce: 1,
    isKept: false,
    async run(_job, { signal }) {
      if (keep === 0) return undefined
      try {
        const isWhole = await take(signal)
        if (!isWhole && signal.aborted) return { kind: 'released' }
        return { kind: 'again', afterMs: isWhole ? untilNight(clock.now()) : againMs }
      } catch (error) {
        if (signal.aborted) return { kind: 'released' }
        log.error({ err: error }, 'the nightly backup failed')
        return { kind: 'again', afterMs: againMs }
      }
    },
    lost: () => ({ kind: 'again', afterMs: againMs }),
  })

  return {
    /** Uses the row that waits already, or a new one. */
    async start(): Promise<void> {
      if (keep === 0) return
      const dueAt = isoIn(clock, untilNight(clock.now()))
      try {
        await inTransaction(databases, trx =>
          queue.add(trx, installation, [{ payload: {}, uniqueKey: 'night', dueAt }]),
        )
      } catch (error) {
        log.error({ err: error }, 'scheduling the nightly backup failed; the next start tries again')
      }
    },
    prune: (now: Date) =>
      inTransaction(databases, trx => deleteSnapshotsBefore(trx, new Date(now.getTime() - keptMs).toISOString())),
    /** The last backup and the last usable one; undefined: none are made. */
    async state(): Promise<{ last: Snapshot | undefined; lastGood: Snapshot | undefined } | undefined> {
      if (keep === 0) return undefined
      const [lastGood] = await listUsable(databases.read)
      return { last: await findLast(databases.read), lastGood }
    },
  }
}
