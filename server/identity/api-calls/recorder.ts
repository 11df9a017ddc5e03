import { newId } from '#server/platform/crypto/ids.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { apiCallsKeptDays, apiCallsKeptPerKey } from '#shared/api-calls/api.ts'
import { deleteCallsBefore, insertCalls, trimCalls } from './store.ts'

/** A call as it ended: of a key that counts, or of a text that has the form of one. */
export interface EndedCall {
  readonly key: { readonly id: string } | { readonly hash: string }
  readonly method: string
  /** As it was mounted, without what stood in its places. */
  readonly route: string
  readonly status: number
  /** Why it was refused; `textCode`: whose sentence says more. */
  readonly refusal: { readonly code: string; readonly textCode: string } | undefined
  readonly tookMs: number
  readonly address: string
  readonly requestId: string
}

/** A key that is there, whether it opens anything or not. */
export interface KnownKey {
  readonly id: string
  readonly hash: string
  readonly orgId: string
}

interface RecorderParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  findKeys(db: Db, named: { ids: readonly string[]; hashes: readonly string[] }): Promise<readonly KnownKey[]>
}

export interface CallRecorder {
  /** Takes note of a call; never waits, never throws. */
  note(call: EndedCall): void
  /** Writes what was noted. */
  flush(): Promise<void>
  /** From now on what is noted is written by itself, a little later. */
  start(): void
  stop(): Promise<void>
  /** Deletes what is past its time; answers how many went. */
  prune(now: Date): Promise<number>
}

const writeEveryMs = 5000
/** So many are written at once, however soon. */
const writtenAtOnce = 500
/** What comes faster than it can be written is counted and left out. */
const mostWaiting = 2000
/** Texts that only look like a key come from anybody: they crowd out nobody's calls. */
const mostUnknown = 100
const prunedAtOnce = 500
const dayMs = 86_400_000

type Noted = EndedCall & { readonly at: string; readonly noted: string }

/**
 * Notes calls in memory and writes them a few seconds' worth in one commit, so that no call waits for it; what a process
 * that dies had noted since is lost.
 */
export function createCallRecorder({ databases, clock, log, findKeys }: RecorderParts): CallRecorder {
  let waiting: Noted[] = []
  let unknown = 0
  let leftOut = 0
  let writing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isStarted = false

  const write = async (calls: readonly Noted[]) => {
    const ids = [...new Set(calls.flatMap(({ key }) => ('id' in key ? [key.id] : [])))]
    const hashes = [...new Set(calls.flatMap(({ key }) => ('hash' in key ? [key.hash] : [])))]
    await inTransaction(databases, async trx => {
      // A key may have been deleted since.
      const keys = await findKeys(trx, { ids, hashes })
      const byName = new Map(keys.flatMap(key => [[key.id, key] as const, [key.hash, key] as const]))
      const rows = calls.flatMap(({ key, noted, at, method, route, status, refusal, tookMs, address, requestId }) => {
        const known = byName.get('id' in key ? key.id : key.hash)
        if (!known) return []
        return {
          id: noted,
          org_id: known.orgId,
          key_id: known.id,
          at,
          method,
          route,
          status,
          has_failed: Number(status >= 400),
          code: refusal?.code ?? null,
          text_code: refusal && refusal.textCode !== refusal.code ? refusal.textCode : null,
          took_ms: Math.round(tookMs),
          address,
          request_id: requestId,
        }
      })
      if (!rows.length) return
      await insertCalls(trx, rows)
      const touched = new Map(rows.map(row => [row.key_id, row.org_id]))
      for (const [keyId, orgId] of touched) await trimCalls(trx, orgId, keyId, apiCallsKeptPerKey)
    })
  }

  const take = (): readonly Noted[] => {
    const calls = waiting
    waiting = []
    unknown = 0
    if (leftOut > 0) log.warn({ leftOut }, 'more calls of API keys came than are kept')
    leftOut = 0
    return calls
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(async () => {
      const calls = take()
      try {
        if (calls.length) await write(calls)
      } catch (error) {
        // What is served goes on without it.
        log.warn({ err: errorFacts(error), calls: calls.length }, 'calls of API keys could not be kept')
      }
    })
    return writing
  }

  return {
    note(call) {
      const isUnknown = 'hash' in call.key
      if (waiting.length >= mostWaiting || (isUnknown && unknown >= mostUnknown)) {
        leftOut += 1
        return
      }
      unknown += Number(isUnknown)
      waiting.push({ ...call, noted: newId(), at: clock.now().toISOString() })
      if (!isStarted) return
      if (waiting.length >= writtenAtOnce && waiting.length % writtenAtOnce === 0) void flush()
      else timer ??= setTimeout(() => void flush(), writeEveryMs).unref()
    },
    flush,
    start() {
      isStarted = true
    },
    async stop() {
      isStarted = false
      await flush()
    },
    prune: now => {
      const before = new Date(now.getTime() - apiCallsKeptDays * dayMs).toISOString()
      return inBatches(prunedAtOnce, limit => inTransaction(databases, trx => deleteCallsBefore(trx, before, limit)))
    },
  }
}
