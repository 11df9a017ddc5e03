import type { CountryCode } from 'libphonenumber-js/max'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { splitNumbers } from '#server/platform/text/phone-lists.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { type BulkDraft, type BulkDraftSteps, bulkDraftLimits, type bulkDraftsApi } from '#shared/bulk-sends/drafts.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { digitsOf } from '#shared/kernel/phone.ts'
import { readPhone } from '#shared/kernel/phone-reader.ts'
import { bulkSendErrors } from '../errors.ts'
import { creatorOf, seesAllSends } from '../rights/visible.ts'
import {
  type DraftContent,
  findDraft,
  insertDraft,
  listDrafts,
  removeDraft,
  type StoredDraft,
  updateDraft,
  type WholeDraft,
} from './draft-store.ts'

interface DraftParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
  readCountry(orgId: string): Promise<CountryCode>
}

/** A few milliseconds of parsing numbers. */
const readAtOnce = 50

const present = ({ creatorId: _, ...draft }: StoredDraft): BulkDraft => draft

/** Undefined: it does not exist for this caller. */
export async function findVisibleDraft(db: Db, caller: OrgCaller, id: string): Promise<WholeDraft | undefined> {
  const draft = await findDraft(db, caller.orgId, id)
  return draft && (seesAllSends(caller) || draft.creatorId === creatorOf(caller)) ? draft : undefined
}

/** Drafts of bulk sends, each with the revision that was saved last. */
export function createBulkDrafts(parts: DraftParts): ServiceOf<typeof bulkDraftsApi, OrgCaller> {
  const { databases, clock, ids, writes, readCountry } = parts

  const requireDraft = async (db: Db, caller: OrgCaller, id: string): Promise<WholeDraft> => {
    const draft = await findVisibleDraft(db, caller, id)
    if (!draft) throw bulkSendErrors.DRAFT_NOT_FOUND()
    return draft
  }

  const contentOf = async (caller: OrgCaller, steps: BulkDraftSteps): Promise<DraftContent> => {
    const country = await readCountry(caller.orgId)
    const people = new Set<string>()
    let read = 0
    for (const typed of splitNumbers(steps.audience.numbers, country)) {
      if (typed === undefined) continue
      people.add(readPhone(typed, country) ?? digitsOf(typed))
      read += 1
      if (read % readAtOnce === 0) await databases.turn.giveWay()
    }
    return { steps, people: [...people].join(' '), savedBy: caller.name, savedAt: isoNow(clock) }
  }

  return {
    async listDrafts(caller) {
      const creatorId = seesAllSends(caller) ? undefined : creatorOf(caller)
      const found = await listDrafts(databases.read, caller.orgId, { creatorId, limit: bulkDraftLimits.listed })
      return { items: found.map(present) }
    },

    async getDraft(caller, { params }) {
      const { steps, ...draft } = await requireDraft(databases.read, caller, params.id)
      return { ...present(draft), steps }
    },

    async createDraft(caller, { body }) {
      const content = await contentOf(caller, body.steps)
      return writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        const creatorId = creatorOf(caller)
        const limit = bulkDraftLimits.ofPerson
        if ((await listDrafts(db, orgId, { creatorId, limit })).length >= limit)
          throw bulkSendErrors.TOO_MANY_DRAFTS({ params: { limit } })
        const id = ids(clock.now().getTime())
        await insertDraft(db, orgId, { id, creatorId, content })
        return present(await requireDraft(db, caller, id))
      })
    },

    async saveDraft(caller, { params: { id }, body: { revision, steps } }) {
      const content = await contentOf(caller, steps)
      return writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        await requireDraft(db, caller, id)
        if (!(await updateDraft(db, orgId, { id, revision, content }))) throw bulkSendErrors.DRAFT_STALE()
        return present(await requireDraft(db, caller, id))
      })
    },

    deleteDraft: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        const { id } = await requireDraft(db, caller, params.id)
        await removeDraft(db, orgId, id)
        return { success: true }
      }),
  }
}
