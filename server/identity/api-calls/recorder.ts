import { newId } from '#server/platform/crypto/ids.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { apiCallsKeptDays, apiCallsKeptPerKey } from '#shared/api-calls/api.ts'
import { deleteCallsBefore, insertCalls, trimCalls } from './store.ts'

/** A finished call, made with an accepted key or with a text that has the form of a key. */
export interface EndedCall {
  readonly key: { readonly id: string } | { readonly hash: string }
  readonly method: string
  /** The route's pattern, such as `/api/contacts/:id`: no ids of customers. */
  readonly route: string
  readonly status: number
  /** Error code of the refusal. `textCode` names a more specific text for it. */
  readonly refusal: { readonly code: string; readonly textCode: string } | undefined
  readonly tookMs: number
  readonly address: string
  readonly requestId: string
}

/** A stored key, whether it is usable or not. */
interface KnownKey {
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
  /** Records a call. Never waits, never throws. */
  note(call: EndedCall): void
  /** Writes the pending calls. */
  flush(): Promise<void>
  /** Starts the timer that writes pending calls. */
  start(): void
  stop(): Promise<void>
  /** Deletes calls older than their retention; returns how many. */
  prune(now: Date): Promise<number>
}

const writeEveryMs = 5000
/** With this many pending calls the recorder writes at once instead of pending for the timer. */
const writeAtPending = 500
/** Calls beyond this are counted and dropped. */
const maxPending = 2000
/** Anybody can send a text that looks like a key. This limit keeps such calls from displacing those of real keys. */
const maxUnknownPending = 100
const pruneBatchSize = 500
const dayMs = 86_400_000

type PendingCall = EndedCall & { readonly at: string; readonly recordId: string }

/**
 * Collects calls in memory and writes them in one commit every few seconds, so that no call waits for it. A crash loses
 * what was not yet written.
 */
export function createCallRecorder({ databases, clock, log, findKeys }: RecorderParts): CallRecorder {
  let pending: PendingCall[] = []
  let unknown = 0
  let dropped = 0
  let writing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isStarted = false

  const write = async (calls: readonly PendingCall[]) => {
    const ids = [...new Set(calls.flatMap(({ key }) => ('id' in key ? [key.id] : [])))]
    const hashes = [...new Set(calls.flatMap(({ key }) => ('hash' in key ? [key.hash] : [])))]
    await inTransaction(databases, async trx => {
      const keys = await findKeys(trx, { ids, hashes })
      const byName = new Map(keys.flatMap(key => [[key.id, key] as const, [key.hash, key] as const]))
      const rows = calls.flatMap(
        ({ key, recordId, at, method, route, status, refusal, tookMs, address, requestId }) => {
          const known = byName.get('id' in key ? key.id : key.hash)
          if (!known) return []
          return {
            id: recordId,
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
        },
      )
      if (!rows.length) return
      await insertCalls(trx, rows)
      const touched = new Map(rows.map(row => [row.key_id, row.org_id]))
      for (const [keyId, orgId] of touched) await trimCalls(trx, orgId, keyId, apiCallsKeptPerKey)
    })
  }

  const take = (): readonly PendingCall[] => {
    const calls = pending
    pending = []
    unknown = 0
    if (dropped > 0) log.warn({ dropped }, 'API call records were dropped: too many pending')
    dropped = 0
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
        // Requests are served even when their record is lost.
        log.warn({ err: errorFacts(error), calls: calls.length }, 'API call records could not be written')
      }
    })
    return writing
  }

  return {
    note(call) {
      const isUnknown = 'hash' in call.key
      if (pending.length >= maxPending || (isUnknown && unknown >= maxUnknownPending)) {
        dropped += 1
        return
      }
      unknown += Number(isUnknown)
      pending.push({ ...call, recordId: newId(), at: clock.now().toISOString() })
      if (!isStarted) return
      if (pending.length >= writeAtPending && pending.length % writeAtPending === 0) void flush()
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
      return inBatches(pruneBatchSize, limit => inTransaction(databases, trx => deleteCallsBefore(trx, before, limit)))
    },
  }
}
