import { type Static, Type } from 'typebox'
import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { type Job, longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ImportFailure } from '#shared/imports/states.ts'
import { createClient, RemoteTrouble, retryAfterMs, type TroubleReason } from '../chatwoot/api/client.ts'
import type { Cursor } from '../chatwoot/api/cursor.ts'
import { createPages } from '../chatwoot/api/pages.ts'
import { createRows, spoolHead } from '../chatwoot/api/rows.ts'
import { findImport, type Remote, type StoredImport, updateImport } from '../store.ts'
import { isFetched } from './fetched.ts'
import { createListedConversations } from './listed-conversations.ts'
import type { WorkParts } from './parts.ts'
import { announceState } from './state-changes.ts'
import { ImportStopped } from './stopped.ts'
import type { ImportStops } from './stops.ts'

const Payload = Type.Object({ importId: Type.String() })
const tries = 5
/** Calls of one run, so that organizations take turns. */
const callsPerRun = 40
const charsPerRun = 2_000_000
const runMs = 20_000
/** Waits after runs in a row that brought nothing; the last one is repeated. */
const troubleGapsMs = [5_000, 15_000, 60_000, 300_000, 900_000]
/** After so many it is paused, and a person resumes it. */
export const troublesAtMost = { limited: 40, other: 8 }
const by = systemActor('imports')

const contextOf = (orgId = '', id = '') => `chat_import.token:${orgId}/${id}`
export const sealedImportTokens: EncryptedColumn = {
  table: 'chat_import',
  key: ['org_id', 'id'],
  column: 'token',
  contextOf,
}

export const sealToken = (vault: Pick<Vault, 'encrypt'>, orgId: string, id: string, token: string): string =>
  vault.encrypt(token, contextOf(orgId, id))

type FetchParts = WorkParts & {
  readonly stops: Pick<ImportStops, 'during'>
  readonly vault: Pick<Vault, 'decrypt'>
  readonly outbound: Pick<Outbound, 'call'>
  /** Queues the job that looks the import through, in the transaction that ends the fetching. */
  begin(write: OrgWrite, id: string): Promise<void>
}

/** The job that fetches an import page by page from another program, and stores it as an uploaded dump would be. */
export function createFetching(parts: FetchParts) {
  const { databases, clock, jobs, writes, pieces, vault, outbound, begin, stops } = parts
  const { read } = databases

  /** Updates an import if it is still being fetched from the same cursor. Returns false otherwise. */
  const move = (
    orgId: string,
    { id, remote }: StoredImport,
    changes: Parameters<typeof updateImport>[3],
  ): Promise<boolean> =>
    writes.run(orgId, by, async write => {
      const now = await findImport(write.db, orgId, id)
      if (now?.state !== 'reading' || JSON.stringify(now.remote?.cursor) !== JSON.stringify(remote?.cursor))
        return false
      await updateImport(write.db, orgId, id, { ...changes, announced_at: isoNow(clock) })
      announceState(write, { ...now, ...changes })
      return true
    })

  const fail = (orgId: string, one: StoredImport, failure: ImportFailure) =>
    move(orgId, one, { state: 'failed', failure, token: null, ended_at: isoNow(clock) })

  /** Stores what a run brought and where the next one goes on. */
  const save = async (orgId: string, one: StoredImport, text: string, cursor: Cursor | null) => {
    const remote: Remote = { ...(one.remote as Remote), cursor, troubles: 0 }
    const isBegun = JSON.stringify(one.remote?.cursor)
    await pieces.append(orgId, one.id, {
      // Each piece says its encoding, because some are read alone.
      bytes: Buffer.from(text && spoolHead + text),
      broughtBy: one.author_id,
      async change(write, now) {
        if (now?.state !== 'reading' || JSON.stringify(now.remote?.cursor) !== isBegun) throw new MovedOn()
        if (cursor === null) await begin(write, one.id)
        announceState(write, now)
        return { remote, ...(cursor === null ? { token: null } : {}), announced_at: isoNow(clock) }
      },
    })
  }

  const troubled = async (orgId: string, one: StoredImport, trouble: RemoteTrouble): Promise<Outcome> => {
    const { reason } = trouble
    const remote = one.remote as Remote
    const troubles = remote.troubles + 1
    const done: Outcome = { kind: 'done' }
    if (reason === 'refused' || reason === 'missing') {
      await fail(orgId, one, 'tokenRefused')
      return done
    }
    const isOver = troubles >= troublesAtMost[reason === 'limited' ? 'limited' : 'other']
    const failure = failures[reason]
    await move(orgId, one, {
      remote: { ...remote, troubles: isOver ? 0 : troubles },
      ...(isOver ? { state: 'paused', failure } : {}),
    })
    const gapMs = troubleGapsMs[Math.min(troubles, troubleGapsMs.length) - 1] as number
    return isOver
      ? done
      : {
          kind: 'waits',
          afterMs: reason === 'limited' ? retryAfterMs(trouble, clock.now().getTime()) : gapMs,
          reason: 'SOURCE_BUSY',
        }
  }

  /** Asks for some pages and stores them. */
  const fetchSome = async (orgId: string, one: StoredImport, signal: AbortSignal): Promise<Outcome | undefined> => {
    const { address, account, cursor: begun } = one.remote as Remote
    const token = vault.decrypt(one.token ?? '', contextOf(orgId, one.id))
    const client = createClient({ outbound, address, token, signal })
    const rows = createRows()
    const conversations = createListedConversations(parts, orgId, one)
    const now = clock.now().getTime()
    const askNext = createPages({ client, address, account, now, received: one.received, conversations }, rows)
    let cursor: Cursor | null = begun
    let trouble: RemoteTrouble | undefined
    while (cursor && cursor.phase === begun?.phase && client.calls < callsPerRun) {
      try {
        cursor = await askNext(cursor)
      } catch (error) {
        if (signal.aborted) return { kind: 'released' }
        trouble = troubleIn(error)
        break
      }
      if (rows.chars > charsPerRun || clock.now().getTime() > now + runMs) break
    }
    if (trouble && cursor === begun) return troubled(orgId, one, trouble)
    await save(orgId, one, rows.text(), cursor)
    // The next run meets any other trouble again, if it lasts.
    const afterMs = trouble?.reason === 'limited' ? retryAfterMs(trouble, now) : 0
    return cursor ? { kind: 'again', afterMs } : undefined
  }

  const tryFetching = async (
    job: Job<Static<typeof Payload>>,
    one: StoredImport,
    signal: AbortSignal,
  ): Promise<Outcome | undefined> => {
    const { orgId } = job
    try {
      return await fetchSome(orgId, one, signal)
    } catch (error) {
      if (error instanceof MovedOn) return undefined
      if (error instanceof ImportStopped) await fail(orgId, one, error.failure)
      // A person makes room, and resumes it.
      else if (error instanceof AppError && error.code === 'MEDIA_NO_ROOM')
        await move(orgId, one, { state: 'paused', failure: 'noRoom' })
      else if (error instanceof AppError && error.code === 'APP_UNAVAILABLE' && job.attempts >= tries)
        await move(orgId, one, { state: 'paused', failure: 'storage' })
      else if (job.attempts >= tries) return givenUp(job, clock)
      else throw error
      return undefined
    }
  }

  const queue = jobs.register({
    name: 'imports.fetch',
    looksWithinMs: longestGapMs,
    payload: Payload,
    lane: 'bulk',
    atOnce: 4,
    perOrg: 1,
    tries,
    isKept: false,
    async run(job, context) {
      const { orgId, payload } = job
      const one = await findImport(read, orgId, payload.importId)
      if (one?.state !== 'reading' || isFetched(one)) return undefined
      return stops.during(one, context.signal, signal => tryFetching(job, one, signal))
    },
    lost: job => (job.attempts < tries ? { kind: 'retry', reason: 'LOST' } : givenUp(job, clock)),
  })

  return {
    /** Queues a job, in the transaction that begins or resumes the import. Jobs of one import run one after another. */
    async begin({ db, orgId, afterCommit }: OrgWrite, id: string): Promise<void> {
      await queue.add(db, orgId, [{ payload: { importId: id }, orderKey: id }])
      afterCommit(queue.wake)
    },
  }
}

/** Ends an import whose job was lost too often, unless it has left this state. */
const givenUp = ({ orgId, payload }: Job<Static<typeof Payload>>, clock: Clock): Outcome => ({
  kind: 'failed',
  reason: 'LOST',
  write: async many => {
    const write = many.of(orgId)
    const one = await findImport(write.db, orgId, payload.importId)
    if (one?.state !== 'reading' || isFetched(one)) return
    const ended = { state: 'failed', failure: 'broken', token: null, ended_at: isoNow(clock) } as const
    await updateImport(write.db, orgId, one.id, ended)
    announceState(write, { id: one.id, state: 'failed' })
  },
})

/** Values that nobody expects have no text, time or address. @throws other errors */
const troubleIn = (error: unknown): RemoteTrouble => {
  if (error instanceof RemoteTrouble) return error
  if (error instanceof RangeError || error instanceof URIError) return new RemoteTrouble('odd', { cause: error })
  throw error
}

const failures: Readonly<Record<Exclude<TroubleReason, 'refused' | 'missing'>, ImportFailure>> = {
  limited: 'unreachable',
  silent: 'unreachable',
  moved: 'oddAnswer',
  odd: 'oddAnswer',
  tooLarge: 'oddAnswer',
}

/** The import was paused or deleted meanwhile, or another run stored the same data. */
class MovedOn extends Error {}
