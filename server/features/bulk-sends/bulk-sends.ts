import type { Db } from '#server/platform/db/database.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { type ApprovingParts, createApproving } from './approving.ts'
import { createBulkDrafts } from './drafts/drafts.ts'
import { createForgetting } from './forgetting.ts'
import { createPlanning, type PlanningParts } from './planning/planning.ts'
import { createPreparing, type PreparingParts } from './planning/preparing.ts'
import { createTesting, type TestingParts } from './planning/testing.ts'
import { createBulkSendNotices } from './reports/notices.ts'
import { presentSend } from './reports/present.ts'
import { createRightsWatch, type RightsWatchParts } from './rights/rights-watch.ts'
import { createAnnouncing } from './sending/announcing.ts'
import { createHandOver, type HandOverParts } from './sending/hand-over.ts'
import { createOutcomes } from './sending/outcomes.ts'
import { createOwnHours, type OwnHoursParts } from './sending/own-hours.ts'
import { createPeopleLimit } from './sending/people-limit.ts'
import { createScheduling } from './sending/scheduling.ts'
import { createToNumbers, type ToNumbersParts } from './sending/to-numbers.ts'
import { type BulkSendParts, createBulkSends } from './service.ts'
import { findSends } from './store.ts'

type BulkSendsParts = Omit<HandOverParts, 'announcing' | 'peopleLimit' | 'ownHours'> &
  OwnHoursParts &
  Omit<PlanningParts, 'peopleLimit'> &
  Omit<PreparingParts, 'planning' | 'approving' | 'rightsWatch'> &
  Omit<ApprovingParts, 'handOver' | 'scheduling'> &
  RightsWatchParts &
  Omit<TestingParts, 'planning' | 'handOver'> &
  Omit<ToNumbersParts, 'planning'> &
  Omit<
    BulkSendParts,
    | 'pace'
    | 'peopleLimit'
    | 'planning'
    | 'preparing'
    | 'handOver'
    | 'scheduling'
    | 'approving'
    | 'testing'
    | 'toNumbers'
  > & {
    notifications: Omit<Parameters<typeof createBulkSendNotices>[0], 'findRole'>
  }

/** Bulk sends: one template to many people, planned, stored, handed to the outbox in batches, followed. */
export function createBulkSendParts(parts: BulkSendsParts) {
  const peopleLimit = createPeopleLimit(parts)
  const { pace } = parts
  const planning = createPlanning({ ...parts, peopleLimit })
  const announcing = createAnnouncing(parts)
  const handOver = createHandOver({ ...parts, announcing, pace, peopleLimit, ownHours: createOwnHours(parts) })
  const scheduling = createScheduling({ ...parts, handOver })
  const testing = createTesting({ ...parts, planning, handOver })
  const toNumbers = createToNumbers({ ...parts, planning })
  const rightsWatch = createRightsWatch({ ...parts, scheduling })
  const approving = createApproving({ ...parts, handOver, scheduling })
  const preparing = createPreparing({ ...parts, planning, approving, rightsWatch })
  return {
    /** The state of sends by id. The caller checks who may see them. */
    async describe(db: Db, orgId: string, ids: readonly string[]): Promise<ReadonlyMap<string, BulkSend>> {
      return new Map((await findSends(db, orgId, ids)).map(send => [send.id, presentSend(send)]))
    },
    /** People the organization wrote to first within a day. */
    countOpened: (orgId: string) => peopleLimit.count(parts.databases.read, orgId),
    /** Removes a person from all sends. */
    forget: createForgetting(parts),
    service: createBulkSends({
      ...parts,
      pace,
      peopleLimit,
      planning,
      preparing,
      handOver,
      scheduling,
      approving,
      testing,
      toNumbers,
    }),
    drafts: createBulkDrafts(parts),
    /** The listeners, in the order in which they run. */
    listeners: [
      // Before listeners that report what it changes.
      rightsWatch.listener,
      createOutcomes({ ...parts, announcing }),
      createBulkSendNotices({ ...parts.notifications, findRole: parts.senders.findRole }),
      peopleLimit.listener,
      pace.listener,
    ] as const,
  }
}
