import { setImmediate as nextTurn } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Clock } from '../clock.ts'
import { isoIn } from '../clock.ts'
import { type Databases, type Db, inTransaction } from '../db.ts'
import type { TransactionListener } from '../events/listeners.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import { listUnread, mergeSegments, readIn, readPlace } from './index-store.ts'

interface IndexingParts {
  readonly databases: Databases
  readonly jobs: Jobs
  readonly clock: Clock
  readonly log: Log
}

/** One slice holds the event loop for some ten milliseconds at most: so many messages, fewer where they are long. */
const messagesPerSlice = 200
const charsPerSlice = 64 * 1024
const pagesPerMerge = 16
const mergesPerSlice = 8
/** Until then a search reads the newest messages themselves. */
const afterMs = 2_000
/** After so many slices the job ends and comes again, so that others of its lane have a turn. */
const slicesPerRun = 100

const installation = ''
const uniqueKey = 'message'

const readSlice = async (db: Db): Promise<boolean> => {
  const place = await readPlace(db)
  const unread = await listUnread(db, place, messagesPerSlice)
  let chars = 0
  let upTo = place
  for (const row of unread) {
    if (upTo > place && chars + row.chars > charsPerSlice) break
    chars += row.chars
    upTo = row.seq
  }
  if (upTo > place) await readIn(db, place, upTo)
  return upTo > place
}

/** Reads one slice into the index and tidies up behind it. False: everything was read. */
export async function indexSlice(databases: Databases): Promise<boolean> {
  if (!(await inTransaction(databases, readSlice))) return false
  for (let i = 0; i < mergesPerSlice; i += 1) {
    await nextTurn()
    if (!(await inTransaction(databases, trx => mergeSegments(trx, pagesPerMerge)))) break
  }
  return true
}

/** Reads new messages into the index of words, a little after they came; after an upgrade, all there are. */
export function createIndexing({ databases, jobs, clock, log }: IndexingParts) {
  const queue = jobs.register({
    name: 'index',
    payload: Type.Object({}),
    lane: 'bulk',
    atOnce: 1,
    isKept: false,
    async run(_job, { signal }) {
      for (let i = 0; i < slicesPerRun; i += 1) {
        if (signal.aborted || !(await indexSlice(databases))) return undefined
        await nextTurn()
      }
      return { kind: 'again', afterMs: 0 }
    },
    lost: () => ({ kind: 'again', afterMs }),
  })
  const add = (trx: Db) => queue.add(trx, installation, [{ payload: {}, uniqueKey, dueAt: isoIn(clock, afterMs) }])
  const listener: TransactionListener<'message.received' | 'message.sent' | 'message.noted'> = {
    name: 'search index',
    on: ['message.received', 'message.sent', 'message.noted'],
    async handle({ db, afterCommit }) {
      if (await add(db)) afterCommit(queue.wake)
    },
  }
  return {
    listener,
    /** Messages that nobody has read in, from before the index or from a process that ended. */
    async start(): Promise<void> {
      try {
        const place = await readPlace(databases.read)
        if ((await listUnread(databases.read, place, 1)).length && (await inTransaction(databases, add))) queue.wake()
      } catch (error) {
        log.error({ err: error }, 'messages are read into the search index once the next one comes')
      }
    },
  }
}
