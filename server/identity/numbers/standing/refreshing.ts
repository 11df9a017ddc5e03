import { Type } from 'typebox'
import type { Databases } from '#server/platform/db/db.ts'
import { vendorActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { tokenRefusedCode } from '#server/whatsapp/errors/code-meanings.ts'
import type { ProfileKeeper } from '#server/whatsapp/management/business-profile.ts'
import type { StandingReader } from '#server/whatsapp/management/standing.ts'
import { connectionRead } from '../connecting/connections.ts'
import type { OpenConnection } from '../keyring.ts'
import type { NumberClient } from '../service.ts'
import { findConnection, listConnections, type StoredConnection, setMessagingLimit } from '../store.ts'
import { unreadableKeys } from '../unusable-number.ts'
import {
  factsWithout,
  type KnownStanding,
  type Part,
  partFailure,
  partValue,
  type Reach,
  readFacts,
  readStored,
  type StandingFacts,
} from './facts.ts'
import { findStanding, type StoredStanding, saveStanding } from './store.ts'

export interface StandingReadingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  readonly numbers: {
    findClient(orgId: string, connectionId: string): Promise<NumberClient | undefined>
    findByConnectionId(id: string): Promise<OpenConnection | undefined>
    markReauthorise(orgId: string, connectionId: string, reason: string): Promise<void>
    markWorking(orgId: string, connectionId: string): Promise<void>
  }
  readerFor(opened: OpenConnection): StandingReader
  profileFor(opened: OpenConnection): ProfileKeeper
  /** Calls a number's webhook as Meta does. */
  reach(opened: OpenConnection, signal: AbortSignal): Promise<Reach>
}

/** Notifies people of what got worse; returns what they know now. */
type Tell = (
  write: OrgWrite,
  phone: string,
  facts: StandingFacts,
  before: KnownStanding | undefined,
) => Promise<KnownStanding>

const everyMs = 6 * 3_600_000
const afterFailureMs = 30 * 60_000
/** Several requests within this time share one reading. */
const settleMs = 3_000
const readMs = 40_000
/** A reading younger than this is returned again. */
const freshMs = 5_000

/** Keeps the earlier value of a part that failed only temporarily. */
const kept = <T>(before: Part<T> | undefined, now: Part<T>): Part<T> =>
  'failure' in now && passing.has(now.failure) && before && 'value' in before ? before : now
const passing = new Set(['NETWORK', 'TIMEOUT', 'UNCONFIRMED'])

/** Reads each number's facts from Meta: every six hours, after events that may change them, and on request. */
export function createStandingReading(parts: StandingReadingParts, tell: Tell) {
  const { databases, clock, log, jobs, writes, numbers } = parts
  const running = new Map<string, { begunAt: string; work: Promise<StoredStanding | undefined> }>()

  const readNow = async (known: StoredConnection, begunAt: string, signal: AbortSignal) => {
    const { orgId, id } = known
    const client = await numbers.findClient(orgId, id)
    const opened = client && (await numbers.findByConnectionId(id))
    if (!client) return undefined
    const { facts, picture } = opened
      ? await readFacts(
          {
            number: client.number,
            reader: parts.readerFor(opened),
            profile: parts.profileFor(opened),
            reach: () => parts.reach(opened, signal),
          },
          signal,
        )
      : { facts: factsWithout(unreadableKeys), picture: undefined }
    const stored = await writes.run(orgId, vendorActor, async write => {
      const stored = await findStanding(write.db, orgId, id)
      const before = readStored(stored)
      // The number was disconnected meanwhile.
      if (!(await findConnection(write.db, orgId, id))) return undefined
      const merged = { ...facts, profile: kept(before?.profile, facts.profile) }
      const next = {
        readAt: begunAt,
        facts: JSON.stringify({
          ...merged,
          known: await tell(write, known.phone, merged, before?.known),
          ...(before?.news ? { news: before.news } : {}),
        }),
        picture: picture === undefined ? (stored?.picture ?? null) : picture,
      }
      const people = partValue(facts.limit) ?? null
      if (people !== null) await setMessagingLimit(write.db, orgId, { id }, people)
      await saveStanding(write.db, orgId, id, next)
      if (stored?.facts !== next.facts || stored.picture !== next.picture) write.emit(connectionRead(known))
      return next
    })
    await updateTokenStatus(known, facts)
    return stored
  }

  /**
   * Keeps the token's status consistent: a token that was refused in a send but accepted by every call of this reading
   * works again; one that is refused here is not used for sending.
   */
  const updateTokenStatus = async ({ orgId, id, status, statusReason }: StoredConnection, facts: StandingFacts) => {
    const token = partValue(facts.token)
    const refusal = partFailure(facts.token)
    const isRefused = refusal === tokenRefusedCode || token?.isValid === false
    if (status !== 'reauthorise' && isRefused) await numbers.markReauthorise(orgId, id, tokenRefusedCode)
    const isTaken =
      token?.isValid === true && partValue(facts.account) === true && partValue(facts.quality) !== undefined
    if (status === 'reauthorise' && statusReason !== unreadableKeys && isTaken) await numbers.markWorking(orgId, id)
  }

  /** Concurrent callers share one reading. */
  const read = (known: StoredConnection, signal?: AbortSignal) => {
    const { id } = known
    const under = running.get(id)
    if (under) return under.work
    const limit = AbortSignal.timeout(readMs)
    const begunAt = isoNow(clock)
    const work = readNow(known, begunAt, signal ? AbortSignal.any([signal, limit]) : limit).finally(() =>
      running.delete(id),
    )
    running.set(id, { begunAt, work })
    return work
  }

  const isFresh = (begunAt: string) => clock.now().getTime() - Date.parse(begunAt) < freshMs

  /** Waits for a running reading. Its errors go to the caller that began it. */
  const settled = async (id: string): Promise<void> => void (await running.get(id)?.work.catch(() => undefined))

  /** Reads the standing for a caller who may just have fixed something: a reading that began before does not count. */
  const readFresh = async (known: StoredConnection): Promise<void> => {
    const under = running.get(known.id)
    if (under && !isFresh(under.begunAt)) await settled(known.id)
    const stored = await findStanding(databases.read, known.orgId, known.id)
    if (!stored || !isFresh(stored.readAt)) await read(known)
  }

  /** An error of one number must not keep the others from being read. */
  const readOrLog = async (known: StoredConnection, signal: AbortSignal) => {
    try {
      return await read(known, signal)
    } catch (error) {
      if (!signal.aborted)
        log.error({ err: error, orgId: known.orgId, connectionId: known.id }, 'reading the facts of a number failed')
      return undefined
    }
  }

  const queue = jobs.register({
    name: 'numbers.standing',
    looksWithinMs: everyMs,
    payload: Type.Object({}),
    atOnce: 2,
    isKept: false,
    async run({ orgId }, { signal }) {
      const known = await listConnections(databases.read, orgId)
      // Connecting a number adds the job again.
      if (!known.length) return undefined
      let isMissing = false
      for (const one of known) {
        const stored = await readOrLog(one, signal)
        if (signal.aborted) return { kind: 'released' }
        isMissing ||= !stored || 'failure' in (readStored(stored) as StandingFacts).token
      }
      return { kind: 'again', afterMs: isMissing ? afterFailureMs : everyMs }
    },
    lost: () => ({ kind: 'again', afterMs: afterFailureMs }),
  })

  const scheduleReading = async ({ db, orgId }: OrgWrite) => {
    await queue.cancel(db, orgId)
    await queue.add(db, orgId, [{ payload: {}, uniqueKey: 'standing', dueAt: isoIn(clock, settleMs) }])
  }

  return {
    read,
    readFresh,
    settled,
    /** Schedules a reading of all the organization's numbers. */
    scheduleReading,
  }
}
