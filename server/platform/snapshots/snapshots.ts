import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { type Databases, inTransaction } from '../db/db.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log/log.ts'
import type { Letter, Mail } from '../mail/mail.ts'
import { type Clock, isoIn, isoNow } from '../time/clock.ts'
import {
  beginSnapshot,
  deleteSnapshotsBefore,
  endSnapshot,
  findLast,
  forgetFile,
  listUsable,
  noteSaid,
  type Snapshot,
} from './store.ts'

/** Why a backup cannot be used. `damaged`: what was read back is not what was kept. */
export type SnapshotFault = 'damaged' | 'noRoom' | 'failed'

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
  /** So many stay; 0: none are made. */
  readonly keep: number
  /** Makes a backup and opens it again, in a process of its own: copying holds whoever does it. */
  take(file: string, signal: AbortSignal): Promise<Taken>
  listAdmins(): Promise<string[]>
  letterOf(to: string, fault: SnapshotFault, lastGood: string | null): Letter
}

/** The installation's own. */
const installation = ''
/** When nearly nobody works, by the clock of the machine. */
const nightHour = 3
const againMs = 3_600_000
const dayMs = 86_400_000
/** Of one failure that goes on people are told once a day. */
const saidOfMs = 20 * 3_600_000
const keptMs = 90 * dayMs

/** From `now` to the next night, at least an hour away. */
const untilNight = (now: Date): number => {
  const night = new Date(now)
  night.setHours(nightHour, 0, 0, 0)
  while (night.getTime() - now.getTime() < againMs) night.setDate(night.getDate() + 1)
  return night.getTime() - now.getTime()
}

const nameOf = (at: string) => `recado-${at.slice(0, 19).replaceAll(':', '-')}.backup`

/**
 * A backup each night, opened again and counted; as many as are kept stay. One that fails is tried again within the hour,
 * and who administers the site is told.
 */
export function createSnapshots(parts: SnapshotParts) {
  const { databases, clock, log, jobs, folder, keep } = parts

  const tell = async (id: string, fault: SnapshotFault) => {
    const at = isoNow(clock)
    const isNews = await inTransaction(databases, trx => noteSaid(trx, id, { at, since: isoIn(clock, -saidOfMs) }))
    if (!isNews) return
    const [lastGood] = await listUsable(databases.read)
    for (const to of await parts.listAdmins()) {
      try {
        await parts.mail.send(parts.letterOf(to, fault, lastGood?.beganAt ?? null))
      } catch (error) {
        log.error({ err: error }, 'nobody could be told by mail that a backup failed')
      }
    }
  }

  /** Only after a newer one is whole. */
  const letOldGo = async () => {
    for (const old of (await listUsable(databases.read)).slice(keep)) {
      await rm(join(folder, old.file as string), { force: true })
      await inTransaction(databases, trx => forgetFile(trx, old.id))
    }
  }

  const make = async (file: string, signal: AbortSignal): Promise<Taken> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // What a process that was killed left half made.
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
    // Nobody's failure: the process ends.
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
    await letOldGo()
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
    /** In the row that waits already, or in a new one. */
    async start(): Promise<void> {
      if (keep === 0) return
      const dueAt = isoIn(clock, untilNight(clock.now()))
      try {
        await inTransaction(databases, trx =>
          queue.add(trx, installation, [{ payload: {}, uniqueKey: 'night', dueAt }]),
        )
      } catch (error) {
        log.error({ err: error }, 'the nightly backup waits for the next start')
      }
    },
    prune: (now: Date) =>
      inTransaction(databases, trx => deleteSnapshotsBefore(trx, new Date(now.getTime() - keptMs).toISOString())),
    /** How the last one went, and the last that can be used; undefined: none are made. */
    async state(): Promise<{ last: Snapshot | undefined; lastGood: Snapshot | undefined } | undefined> {
      if (keep === 0) return undefined
      const [lastGood] = await listUsable(databases.read)
      return { last: await findLast(databases.read), lastGood }
    },
  }
}
