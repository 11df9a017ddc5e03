import { deleteSegment, insertSegment, listSegments, wroteSinceOf } from '#server/messaging/contacts/segments.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { maxRecipients } from '#shared/bulk-sends/limits.ts'
import { maxSegments, type SegmentFilter, type segmentsApi } from '#shared/contacts/segments.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { bulkSendErrors } from '../errors.ts'
import type { ContactRow } from './audience-store.ts'
import { findWindowEnd, listOfSegment } from './segment-store.ts'

interface SegmentParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
}

/** Contacts checked in one statement: a few milliseconds, however few match. */
const contactsPerBatch = 200
/** Batches checked to count matches for a page. */
const maxCounted = 1000

/** Contacts that match a filter now, in batches that may be empty. */
export async function* walkSegment(
  db: Db,
  orgId: string,
  filter: SegmentFilter,
  clock: Clock,
): AsyncGenerator<ContactRow[]> {
  const wroteSince = wroteSinceOf(filter, clock)
  for (let after = ''; ; ) {
    const batch = await findWindowEnd(db, orgId, { after, size: contactsPerBatch })
    if (!batch) return
    yield await listOfSegment(db, orgId, filter, { after, last: batch.last, wroteSince })
    if (!batch.isWhole) return
    after = batch.last
  }
}

/** Saved filters of contacts, which a bulk send can take as its audience. */
export function createSegments(parts: SegmentParts): ServiceOf<typeof segmentsApi, OrgCaller> {
  const { databases, clock, ids, writes } = parts
  return {
    listSegments: async ({ orgId }) => ({ items: await listSegments(databases.read, orgId, maxSegments) }),

    createSegment: (caller, { body }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        if ((await listSegments(db, orgId, maxSegments)).length >= maxSegments)
          throw bulkSendErrors.TOO_MANY_SEGMENTS({ params: { limit: maxSegments } })
        const segment = { id: ids(clock.now().getTime()), label: body.label.trim(), filter: body.filter }
        await insertSegment(db, orgId, segment, isoNow(clock))
        return segment
      }),

    deleteSegment: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        if (!(await deleteSegment(db, orgId, params.id))) throw bulkSendErrors.SEGMENT_NOT_FOUND()
        return { success: true }
      }),

    async countSegment({ orgId }, { body }) {
      let [count, batches] = [0, 0]
      for await (const found of walkSegment(databases.read, orgId, body.filter, clock)) {
        count += found.length
        batches += 1
        if (count > maxRecipients || batches >= maxCounted)
          return { count: Math.min(count, maxRecipients), isMore: true }
        await databases.turn.giveWay()
      }
      return { count, isMore: false }
    },
  }
}
