import { createBulkDrafts } from '#server/features/bulk-sends/drafts/drafts.ts'
import { createPlanning, type PlanningParts } from '#server/features/bulk-sends/planning/planning.ts'
import { createPreparing, type PreparingParts } from '#server/features/bulk-sends/planning/preparing.ts'
import { createTesting, type TestingParts } from '#server/features/bulk-sends/planning/testing.ts'
import { createBulkSendNotices } from '#server/features/bulk-sends/reports/notices.ts'
import { presentSend } from '#server/features/bulk-sends/reports/present.ts'
import { createRightsWatch, type RightsWatchParts } from '#server/features/bulk-sends/rights/rights-watch.ts'
import { createAnnouncing } from '#server/features/bulk-sends/sending/announcing.ts'
import { createHandOver, type HandOverParts } from '#server/features/bulk-sends/sending/hand-over.ts'
import { createOutcomes } from '#server/features/bulk-sends/sending/outcomes.ts'
import { createOwnHours, type OwnHoursParts } from '#server/features/bulk-sends/sending/own-hours.ts'
import { createPeopleLimit } from '#server/features/bulk-sends/sending/people-limit.ts'
import { createScheduling } from '#server/features/bulk-sends/sending/scheduling.ts'
import { createToNumbers, type ToNumbersParts } from '#server/features/bulk-sends/sending/to-numbers.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { BulkSend } from '#shared/bulk-sends/api.ts'
import { createForgetting } from './forgetting.ts'
import { type BulkSendParts, createBulkSends } from './service.ts'
import { findSends } from './store.ts'

type BulkSendsParts = Omit<HandOverParts, 'announcing' | 'peopleLimit' | 'ownHours'> &
  OwnHoursParts &
  Omit<PlanningParts, 'peopleLimit'> &
  Omit<PreparingParts, 'planning' | 'handOver' | 'scheduling' | 'rightsWatch'> &
  RightsWatchParts &
  Omit<TestingParts, 'planning' | 'handOver'> &
  Omit<ToNumbersParts, 'planning'> &
  Omit<BulkSendParts, 'pace' | 'planning' | 'preparing' | 'handOver' | 'scheduling' | 'testing' | 'toNumbers'> & {
    notifications: Omit<Parameters<typeof createBulkSendNotices>[0], 'findRole'>
  }

/** One template to many people: planned, written down, handed to the outbox some at a time, followed. */
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
  const preparing = createPreparing({ ...parts, planning, handOver, scheduling, rightsWatch })
  return {
    /** How they stand, by id; whoever asks knows who may see them. */
    async describe(db: Db, orgId: string, ids: readonly string[]): Promise<ReadonlyMap<string, BulkSend>> {
      return new Map((await findSends(db, orgId, ids)).map(send => [send.id, presentSend(send)]))
    },
    /** People whom the organization wrote to first within a day. */
    countOpened: (orgId: string) => peopleLimit.count(parts.databases.read, orgId),
    /** Takes a person out of all sends. */
    forget: createForgetting(parts),
    service: createBulkSends({ ...parts, pace, planning, preparing, handOver, scheduling, testing, toNumbers }),
    drafts: createBulkDrafts(parts),
    /** In the order in which they hear. */
    listeners: [
      // Before who tells of what it moves.
      rightsWatch.listener,
      createOutcomes({ ...parts, announcing }),
      createBulkSendNotices({ ...parts.notifications, findRole: parts.senders.findRole }),
      peopleLimit.listener,
      pace.listener,
    ] as const,
  }
}
