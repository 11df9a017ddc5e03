import { inboxErrors } from '#server/messaging/errors.ts'
import { findTeamName } from '#server/messaging/people/assignment-store.ts'
import { listAvailable } from '#server/messaging/people/members-store.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { AssignmentRule, AssignmentRules, assignmentApi } from '#shared/inbox/assignment.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { createChoose, type GivingParts, giveOutWaiting, isAvailable } from './giving-out.ts'
import { deleteAvailability, deleteRule, listRules, listTeams, saveAvailability, saveRule } from './rule-store.ts'

interface AssignmentParts extends GivingParts {
  readonly databases: Databases
  readonly writes: Pick<Writes, 'run'>
}

const off: AssignmentRule = { way: 'off', most: null, toLast: false }

/** The rules of automatic assignment, and who is available. */
export function createAssignment(parts: AssignmentParts): ServiceOf<typeof assignmentApi, OrgCaller> {
  const { databases, clock, writes, isOpenAt } = parts
  const choosing = createChoose(parts)

  const readRules = async (db: Db, orgId: string): Promise<AssignmentRules> => {
    const rules = await listRules(db, orgId)
    const teams = await listTeams(db, orgId)
    return {
      organization: rules.get(null)?.rule ?? off,
      teams: teams.map(({ id, name }) => ({ id, name, rule: rules.get(id)?.rule ?? null })),
    }
  }

  return {
    getRules: ({ orgId }) => readRules(databases.read, orgId),

    /** @throws INBOX_TEAM_NOT_FOUND */
    setRule: (caller, { body: { teamId, rule } }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId, emit } = write
        if (teamId !== null && (await findTeamName(db, orgId, teamId)) === undefined)
          throw inboxErrors.TEAM_NOT_FOUND({ fields: ['body.teamId'] })
        if (rule) await saveRule(db, orgId, teamId, rule)
        else await deleteRule(db, orgId, teamId)
        emit({ type: 'organization.changed', data: {} })
        await giveOutWaiting(write, choosing)
        return readRules(db, orgId)
      }),

    async listAvailability({ orgId }) {
      const db = databases.read
      const isOpen = await isOpenAt(orgId, isoNow(clock), db)
      const people = await listAvailable(db, orgId)
      return {
        items: people.map(({ userId, state }) => ({ userId, state, isAvailable: isAvailable(state, isOpen) })),
      }
    },

    setAvailability: (caller, { body: { state } }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId, emit } = write
        const { userId } = caller
        const at = isoNow(clock)
        await saveAvailability(db, orgId, { userId, state, at })
        const now = { userId, state, isAvailable: isAvailable(state, await isOpenAt(orgId, at, db)) }
        emit({ type: 'member.availability', data: now })
        if (now.isAvailable) await giveOutWaiting(write, choosing)
        return now
      }),
  }
}

/** Deletes rules and availability of people and teams that no longer exist. */
export const createAssignmentCleaning = (): TransactionListener<'member.left' | 'team.removed'> => ({
  name: 'rules and availability of who left',
  on: ['member.left', 'team.removed'],
  async handle({ db, orgId }, events) {
    for (const event of events)
      if (event.type === 'member.left') await deleteAvailability(db, orgId, event.data.userId)
      else await deleteRule(db, orgId, event.data.teamId)
  },
})
