import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { countRowsLeft } from '#server/platform/db/row-limits-store.ts'
import { vendorActor } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { VendorTemplate } from '#server/whatsapp/templates/template-node.ts'
import { deleteTemplates, listByNames, listNext, putTemplate, type StoredTemplate } from '../store.ts'
import { templateChanged } from '../writing/changes.ts'
import { findSync, saveSync } from './sync-store.ts'

export interface SyncOutcome {
  readonly imported: readonly StoredTemplate[]
  readonly updated: readonly StoredTemplate[]
  readonly removed: readonly StoredTemplate[]
  readonly unchanged: number
}

interface SyncWritingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly writes: Pick<Writes, 'run'>
}

/** Templates read, written or deleted at once. Meta allows 6,000 per account. */
const rowsAtOnce = 200

/** Why a list is incomplete: Meta has more templates than the organization may keep. */
export const tooManyTemplates = 'TOO_MANY_TEMPLATES'

/** A template as Meta lists it, and as it was stored before. */
interface News {
  readonly before: StoredTemplate | undefined
  readonly found: VendorTemplate
}

const keyOf = ({ name, language }: { name: string; language: string }) => `${name} ${language}`

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

/** Returns the function that brings an account's stored templates to the state of Meta's list. */
export function createSyncWriting({ databases, clock, log, writes }: SyncWritingParts) {
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
    const news: News[] = []
    for (const one of found) {
      await databases.turn.giveWay()
      const before = known.get(keyOf(one))
      if (!before || (before.updatedAt <= startedAt && !isSame(before, one))) news.push({ before, found: one })
    }
    return news
  }

  const removeUnlisted = async (orgId: string, wabaId: string, removed: readonly StoredTemplate[]): Promise<void> => {
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
  }

  /** Stores new and changed templates, as many as the organization may have. */
  const storeNews = async (
    orgId: string,
    news: readonly News[],
    { wabaId, isFirst, now }: { wabaId: string; isFirst: boolean; now: string },
  ) => {
    const imported: StoredTemplate[] = []
    const updated: StoredTemplate[] = []
    let leftOut = 0
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
    return { imported, updated, leftOut }
  }

  /** `startedAt`: when Meta was asked. */
  return async (
    orgId: string,
    wabaId: string,
    found: readonly VendorTemplate[],
    startedAt: string,
  ): Promise<SyncOutcome> => {
    const known = new Map((await listKnown(orgId, wabaId)).map(one => [keyOf(one), one]))
    const isFirst = (await findSync(databases.read, orgId))?.wabaId !== wabaId
    const now = isoNow(clock)
    const news = await listNews(known, found, startedAt)
    const listed = new Set(found.map(keyOf))
    const removed = [...known.values()].filter(
      one => !listed.has(keyOf(one)) && one.status !== 'DRAFT' && one.updatedAt <= startedAt,
    )
    // Deletes first, so that there is room for new ones.
    await removeUnlisted(orgId, wabaId, removed)
    const { imported, updated, leftOut } = await storeNews(orgId, news, { wabaId, isFirst, now })
    if (leftOut) log.warn({ orgId, leftOut }, 'templates were left out: the organization has as many as it may')
    await saveSync(databases.write, orgId, { wabaId, syncedAt: now, failure: leftOut ? tooManyTemplates : null })
    return { imported, updated, removed, unchanged: found.length - news.length }
  }
}
