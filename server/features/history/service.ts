import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import {
  type HistoryEntry,
  type HistoryKind,
  type historyApi,
  historyKinds,
  historyPayloadMaxBytes,
  historyPerPage,
  maxDrafts,
  mostRecent,
  type NewEntry,
} from '#shared/history/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { fold } from '#shared/kernel/fold.ts'
import type { Language } from '#shared/kernel/language.ts'
import { idempotencyHours } from '#shared/kernel/limits.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { historyErrors } from './errors.ts'
import { deleteBeyond, findByKey, findEntry, hideEntry, insertEntry, listEntries, type StoredEntry } from './store.ts'

interface HistoryParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
  /** The state of bulk sends, by id. */
  describeSends(db: Db, orgId: string, ids: readonly string[]): Promise<ReadonlyMap<string, BulkSend>>
  translate(language: Language, key: string, params?: Record<string, string | number>): string
}

/** Entries of a kind that each person keeps. Bulk sends are kept for everybody. */
const most: Readonly<Record<Exclude<HistoryKind, 'masive'>, number>> = { recent: mostRecent, draft: maxDrafts }

const underWay: ReadonlySet<BulkSend['state']> = new Set(['preparing', 'scheduled', 'running'])

const searchTextOf = (title: string, summary: string): string => fold(`${title} ${summary}`.trim())

/** The stored payload: known and further fields. @throws InvalidInput when it is too large. */
const payloadOf = ({ kind, title, summary, clientKey, payload, ...rest }: NewEntry) => {
  const whole: Record<string, unknown> = { ...rest, ...payload }
  if (Buffer.byteLength(JSON.stringify(whole)) > historyPayloadMaxBytes)
    throw new InvalidInput([{ field: 'body.payload', code: 'maxLength', params: { limit: historyPayloadMaxBytes } }])
  return whole
}

const oneLine = (text = ''): string => text.normalize('NFC').replace(/\s+/g, ' ').trim()

const manages = ({ role }: OrgCaller): boolean => roleCan(role, 'member:manage')

/** The author. For a bulk send by a key, also the key's creator. */
const isAuthor = (caller: OrgCaller, { authorId }: StoredEntry): boolean =>
  authorId === callerId(caller) || (caller.kind === 'key' && authorId === caller.creatorId)

/** The history: bulk sends, and entries that programs and members add. */
export function createHistory(parts: HistoryParts) {
  const { databases, clock, ids, writes, describeSends, translate } = parts

  const ofSend = (send: BulkSend, language: Language) => {
    const { id, template, audience, counts, cost, state, reason, startsAt, startedAt, endedAt, createdBy } = send
    const people = Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.omitted
    const summary = translate(language, 'bulk-sends:historySummary', {
      state: translate(language, `bulk-sends:state.${state}`),
      people: translate(language, 'bulk-sends:peopleOf', { count: people }),
    })
    const payload = { send: id, template, audience, counts, cost, state, reason, startsAt, startedAt, endedAt }
    return { summary, payload, createdBy }
  }

  const present = (caller: OrgCaller, entry: StoredEntry, send?: BulkSend): HistoryEntry => ({
    id: entry.id,
    kind: entry.kind,
    title: entry.title,
    summary: entry.summary,
    payload: entry.payload,
    createdBy: entry.authorName,
    createdAt: entry.createdAt,
    mayDelete: isAuthor(caller, entry) || manages(caller),
    ...(send ? ofSend(send, caller.language) : {}),
  })

  /** @throws HISTORY_NOT_FOUND, HISTORY_NOT_YOURS */
  const requireOwn = async ({ db, orgId }: OrgWrite, caller: OrgCaller, id: string): Promise<StoredEntry> => {
    const entry = await findEntry(db, orgId, id)
    const isOwn = entry !== undefined && isAuthor(caller, entry)
    if (!entry || !(isOwn || entry.kind === 'masive')) throw historyErrors.NOT_FOUND()
    if (!isOwn && !manages(caller)) throw historyErrors.NOT_YOURS()
    return entry
  }

  const service: ServiceOf<typeof historyApi, OrgCaller> = {
    async listEntries(caller, { query: { page = 1, kind, q = '' } }) {
      const { orgId } = caller
      const found = await listEntries(databases.read, orgId, {
        kinds: kind ? [kind] : historyKinds,
        authorId: callerId(caller),
        words: fold(q.trim()),
        offset: (page - 1) * historyPerPage,
        limit: historyPerPage + 1,
      })
      const entries = found.slice(0, historyPerPage)
      const sendIds = entries.flatMap(({ id, isSend }) => (isSend ? [id] : []))
      const sends = await describeSends(databases.read, orgId, sendIds)
      const items = entries.map(entry => present(caller, entry, sends.get(entry.id)))
      return { items, page, pageSize: historyPerPage, hasMore: found.length > historyPerPage }
    },

    addEntry: (caller, { body: { entry: inner, ...outer } }) => {
      const body: NewEntry = { ...outer, ...inner }
      const { kind = 'masive', clientKey: key = null } = body
      const [title, summary] = [oneLine(body.title), oneLine(body.summary)]
      const payload = payloadOf(body)
      return writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        const authorId = callerId(caller)
        const since = isoIn(clock, -idempotencyHours * 3_600_000)
        const earlier = key === null ? undefined : await findByKey(db, orgId, { authorId, key, since })
        if (earlier) return present(caller, earlier)
        const entry = {
          id: ids(clock.now().getTime()),
          kind,
          authorId,
          authorName: caller.name,
          isSend: false,
          title,
          summary,
          searchText: searchTextOf(title, summary),
          payload,
          clientKey: key,
          createdAt: isoNow(clock),
        }
        await insertEntry(db, orgId, entry)
        if (kind !== 'masive') await deleteBeyond(db, orgId, { kind, authorId, most: most[kind] })
        return present(caller, entry)
      })
    },

    hideEntry: (caller, { query: { id } }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const entry = await requireOwn(write, caller, id)
        const send = entry.isSend ? (await describeSends(db, orgId, [id])).get(id) : undefined
        if (send && underWay.has(send.state)) throw historyErrors.UNDER_WAY()
        await hideEntry(db, orgId, { id, at: isoNow(clock) })
        return { success: true }
      }),
  }

  /** Adds each bulk send, in the transaction that stores it. */
  const listener: TransactionListener<'bulkSend.changed'> = {
    name: 'history of bulk sends',
    on: ['bulkSend.changed'],
    after: ['rights to bulk sends'],
    async handle({ db, orgId }, events) {
      for (const { data } of events) {
        if (data.before !== null || data.isTest) continue
        await insertEntry(db, orgId, {
          id: data.id,
          kind: 'masive',
          authorId: data.creatorId,
          authorName: '',
          isSend: true,
          title: data.templateName,
          summary: '',
          searchText: searchTextOf(data.templateName, ''),
          payload: {},
          clientKey: null,
          createdAt: isoNow(clock),
        })
      }
    },
  }

  return { service, listener }
}
