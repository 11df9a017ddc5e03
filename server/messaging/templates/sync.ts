import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { countRowsLeft } from '#server/platform/db/row-limits-store.ts'
import { vendorActor } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { WhatsAppAccount } from '#server/whatsapp/account.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import type { VendorTemplate } from '#server/whatsapp/template-node.ts'
import { templateChanged } from './changes.ts'
import { templateErrors } from './errors.ts'
import { refusal } from './refusals.ts'
import { deleteTemplates, listByNames, listNext, putTemplate, type StoredTemplate } from './store.ts'
import { findSync, isReadable, saveSync } from './sync-store.ts'

export interface SyncOutcome {
  readonly imported: readonly StoredTemplate[]
  readonly updated: readonly StoredTemplate[]
  readonly removed: readonly StoredTemplate[]
  readonly unchanged: number
}

export interface SyncParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  /** The connected account. Undefined: no number is connected. */
  accountOf(orgId: string): Promise<{ account: WhatsAppAccount; wabaId: string } | undefined>
}

/** Webhooks report changes at once. This finds what they missed. */
const everyMs = 6 * 3_600_000
const afterFailureMs = 30 * 60_000
/** After a connection or change the list is read once, after this time. */
const readAfterMs = 5_000
/** Templates read, written or deleted at once. Meta allows 6,000 per account. */
const rowsAtOnce = 200
const listsAtOnce = 8

/** Why a list is incomplete: Meta has more templates than the organization may keep. */
export const tooManyTemplates = 'TOO_MANY_TEMPLATES'

const isSame = (known: StoredTemplate, found: VendorTemplate) =>
  known.id === found.id &&
  known.status === found.status &&
  known.category === found.category &&
  known.parameterFormat === found.parameterFormat &&
  known.quality === found.quality &&
  known.rejectedReason === found.rejectedReason &&
  known.ttlSeconds === found.ttlSeconds &&
  isDeepStrictEqual(known.components, found.components)

const merged = (
  known: StoredTemplate | undefined,
  found: VendorTemplate,
  wabaId: string,
  now: string,
): StoredTemplate => ({
  ...found,
  wabaId,
  categoryAsked: known?.categoryAsked ?? null,
  media: known?.media ?? [],
  note: known?.status === found.status ? known.note : null,
  pausedUntil: known?.status === found.status ? known.pausedUntil : null,
  uses: known?.uses ?? 0,
  lastUsedAt: known?.lastUsedAt ?? null,
  createdAt: known?.createdAt ?? now,
  updatedAt: now,
  syncedAt: now,
})

/** Updates the stored templates from Meta's list: on demand, and by a job of each connected organization. */
export function createTemplateSync(parts: SyncParts) {
  const { databases, clock, log, jobs, writes } = parts

  const keyOf = ({ name, language }: { name: string; language: string }) => `${name} ${language}`

  const listKnown = async (orgId: string, wabaId: string): Promise<StoredTemplate[]> => {
    const known: StoredTemplate[] = []
    for (let isMore = true; isMore; ) {
      await nextTurn()
      const some = await listNext(databases.read, orgId, wabaId, { after: known.at(-1), limit: rowsAtOnce })
      known.push(...some)
      isMore = some.length === rowsAtOnce
    }
    return known
  }

  /** Templates that changed here after they were compared, usually by a webhook, are newer than the list and stay. */
  const unchangedIn = async (db: Db, orgId: string, wabaId: string, names: readonly string[]) => {
    const current = new Map((await listByNames(db, orgId, wabaId, names)).map(one => [keyOf(one), one]))
    return (key: { name: string; language: string }, before: StoredTemplate | undefined) =>
      isDeepStrictEqual(current.get(keyOf(key)), before)
  }

  /** Templates that exist only here, or changed while Meta answered, are newer than the list. */
  const listNews = async (
    known: ReadonlyMap<string, StoredTemplate>,
    found: readonly VendorTemplate[],
    startedAt: string,
  ) => {
    const news: { before: StoredTemplate | undefined; found: VendorTemplate }[] = []
    for (const one of found) {
      await databases.turn.giveWay()
      const before = known.get(keyOf(one))
      if (!before || (before.updatedAt <= startedAt && !isSame(before, one))) news.push({ before, found: one })
    }
    return news
  }

  const write = async (orgId: string, wabaId: string, found: readonly VendorTemplate[], startedAt: string) => {
    const known = new Map((await listKnown(orgId, wabaId)).map(one => [keyOf(one), one]))
    const isFirst = (await findSync(databases.read, orgId))?.wabaId !== wabaId
    const now = isoNow(clock)
    const news = await listNews(known, found, startedAt)
    const listed = new Set(found.map(keyOf))
    const removed = [...known.values()].filter(
      one => !listed.has(keyOf(one)) && one.status !== 'DRAFT' && one.updatedAt <= startedAt,
    )
    const imported: StoredTemplate[] = []
    const updated: StoredTemplate[] = []
    let leftOut = 0
    // Deletes first, so that there is room for new ones.
    for (let from = 0; from < removed.length; from += rowsAtOnce) {
      await nextTurn()
      const listedBefore = removed.slice(from, from + rowsAtOnce)
      await writes.run(orgId, vendorActor, async ({ db, emit }) => {
        const isUnchanged = await unchangedIn(
          db,
          orgId,
          wabaId,
          listedBefore.map(one => one.name),
        )
        const some = listedBefore.filter(one => isUnchanged(one, one))
        await deleteTemplates(
          db,
          orgId,
          some.map(one => one.id),
        )
        for (const one of some) emit(templateChanged(one, { before: one, byVendor: true, removed: true }))
      })
    }
    for (let from = 0; from < news.length; from += rowsAtOnce) {
      await nextTurn()
      const some = news.slice(from, from + rowsAtOnce)
      await writes.run(orgId, vendorActor, async ({ db, emit }) => {
        const isUnchanged = await unchangedIn(
          db,
          orgId,
          wabaId,
          some.map(({ found: one }) => one.name),
        )
        let left = await countRowsLeft(db, orgId, 'template')
        for (const { before, found: one } of some) {
          if (!isUnchanged(one, before)) continue
          if (!before && left <= 0) {
            leftOut += 1
            continue
          }
          if (!before) left -= 1
          const after = merged(before, one, wabaId, now)
          await putTemplate(db, orgId, after)
          if (before) updated.push(after)
          else imported.push(after)
          // The first list has old templates, which are no news.
          if (!isFirst || before) emit(templateChanged(after, { before, byVendor: before?.status !== 'DRAFT' }))
        }
      })
    }
    if (leftOut) log.warn({ orgId, leftOut }, 'templates were left out: the organization has as many as it may')
    await saveSync(databases.write, orgId, { wabaId, syncedAt: now, failure: leftOut ? tooManyTemplates : null })
    return { imported, updated, removed, unchanged: found.length - news.length }
  }

  const noteFailure = async (orgId: string, wabaId: string, code: string) => {
    const known = await findSync(databases.read, orgId)
    const syncedAt = known?.wabaId === wabaId ? known.syncedAt : null
    await saveSync(databases.write, orgId, { wabaId, syncedAt, failure: code })
  }

  const running = new Map<string, Promise<SyncOutcome>>()

  const run = async (orgId: string): Promise<SyncOutcome> => {
    const connected = await parts.accountOf(orgId)
    if (!connected) throw templateErrors.NOT_CONNECTED()
    const { account, wabaId } = connected
    const startedAt = isoNow(clock)
    try {
      const { templates, unreadable } = await account.listTemplates()
      if (unreadable) log.warn({ orgId, unreadable }, 'templates that cannot be read were left out')
      return await write(orgId, wabaId, templates, startedAt)
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
    /** When the list was last read, and the last failure. Undefined: never read. */
    stateOf: (orgId: string) => findSync(databases.read, orgId),
    /** Schedules a read, in the caller's transaction. */
    askFor: reschedule,
    /** Reads the list of connected numbers regularly. The job checks whether they are connected. */
    listener,
  }
}
export type TemplateSyncService = ReturnType<typeof createTemplateSync>
