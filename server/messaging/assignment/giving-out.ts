import { type ConversationFacts, type Scope, sees } from '#server/identity/visibility/scope.ts'
import { emitChanged } from '#server/messaging/conversations/changes/emit-changed.ts'
import { decideControl } from '#server/messaging/conversations/control.ts'
import { findRows, type ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, nameOf } from '#server/messaging/conversations/shown/present.ts'
import { assignMany } from '#server/messaging/people/assigning.ts'
import { setAssignment } from '#server/messaging/people/assignment-store.ts'
import { countOpen, listAvailable, listTeamsOf, type Replier } from '#server/messaging/people/members-store.ts'
import type { Db } from '#server/platform/db/database.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { AvailabilityState } from '#shared/inbox/assignment.ts'
import { type Candidate, choose } from './choosing.ts'
import { listLastWriters, listRules, listWaiting, saveLastChosen } from './rule-store.ts'

export interface GivingParts {
  readonly clock: Clock
  isOpenAt(orgId: string, at: string, db: Db): Promise<boolean>
  readonly scopes: {
    readScopes(db: Db, orgId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Scope> | null>
    readFacts(orgId: string, ids: readonly string[], db: Db): Promise<ReadonlyMap<string, ConversationFacts>>
  }
}

/** The actor of automatic assignment. */
const assignmentActor = systemActor('assignment')

/** Available as set by the member, or during the organization's hours. */
export const isAvailable = (state: AvailabilityState, isOpen: boolean): boolean =>
  state === 'available' || (state === 'hours' && isOpen)

/** The members available now. */
async function whoIsThere(db: Db, orgId: string, { clock, isOpenAt }: GivingParts): Promise<Replier[]> {
  const people = await listAvailable(db, orgId)
  const isOpen = await isOpenAt(orgId, isoNow(clock), db)
  return people.filter(({ state }) => isAvailable(state, isOpen))
}

/**
 * Chooses members for conversations by the rules, in the transaction in which they begin to wait. Conversations without
 * a member are absent.
 */
export type Choose = (write: OrgWrite, rows: readonly ListRow[]) => Promise<ReadonlyMap<string, Candidate>>

export const createChoose =
  (parts: GivingParts): Choose =>
  async ({ db, orgId }, rows) => {
    const chosen = new Map<string, Candidate>()
    if (!rows.length) return chosen
    const rules = await listRules(db, orgId)
    const ruleOf = ({ team_id: teamId }: ListRow) => {
      const own = teamId !== null && rules.has(teamId) ? teamId : null
      return { key: own, state: rules.get(own) }
    }
    const open = rows.filter(row => (ruleOf(row).state?.rule.way ?? 'off') !== 'off')
    if (!open.length) return chosen
    const there = await whoIsThere(db, orgId, parts)
    if (!there.length) return chosen
    const userIds = there.map(({ userId }) => userId)
    const ids = open.map(({ id }) => id)
    const teams = await listTeamsOf(db, orgId)
    const loads = await countOpen(db, orgId, userIds)
    const scopes = await parts.scopes.readScopes(db, orgId, userIds)
    const facts = scopes && (await parts.scopes.readFacts(orgId, ids, db))
    const isPersonal = open.some(row => ruleOf(row).state?.rule.toLast)
    const writers = isPersonal ? await listLastWriters(db, orgId, ids) : new Map<string, string>()
    const candidates: Candidate[] = there.map(({ userId, name }) => ({
      userId,
      name,
      teamIds: teams.get(userId) ?? new Set(),
      load: loads.get(userId) ?? 0,
    }))
    const before = new Map([...rules].map(([key, { lastUserId }]) => [key, lastUserId]))
    for (const row of open) {
      const { state } = ruleOf(row)
      if (!state) continue
      const seesIt = (userId: string) => {
        const scope = scopes?.get(userId)
        return scopes === null || (scope !== undefined && sees(scope, facts?.get(row.id)))
      }
      const one = choose(candidates, state, { teamId: row.team_id, lastWriter: writers.get(row.id), sees: seesIt })
      if (one) chosen.set(row.id, one)
    }
    for (const [key, { lastUserId }] of rules)
      if (lastUserId !== before.get(key)) await saveLastChosen(db, orgId, key, lastUserId)
    return chosen
  }

/** Assigns these conversations by the rules. Returns the rows after the change. */
async function giveOut(write: OrgWrite, rows: readonly ListRow[], choosing: Choose): Promise<ListRow[]> {
  const chosen = await choosing(write, rows)
  const after = new Map<string, ListRow>()
  for (const [userId, some] of Map.groupBy(
    rows.filter(row => chosen.has(row.id)),
    row => chosen.get(row.id)?.userId as string,
  ))
    for (const row of await assignMany({ ...write, by: assignmentActor }, some, { userId })) after.set(row.id, row)
  return rows.map(row => after.get(row.id) ?? row)
}

/**
 * Call it when a member assigned conversations to a team without a person: it assigns them to one of the team if its
 * rule says so.
 */
export const giveToTeam = async (
  write: OrgWrite,
  rows: readonly ListRow[],
  { userId, teamId }: { userId?: string | null | undefined; teamId?: string | null | undefined },
  choosing: Choose | undefined,
): Promise<ListRow[]> => {
  if (!choosing || !teamId || userId !== undefined) return [...rows]
  const nobodys = rows.filter(row => row.assignee_id === null && row.archived === 0)
  const given = new Map((await giveOut(write, nobodys, choosing)).map(row => [row.id, row]))
  return rows.map(row => given.get(row.id) ?? row)
}

/**
 * Assigns rows that the caller is about to save. The rows are changed in memory; call `save` and `emitEvents` after
 * them.
 */
export async function giveUnsaved(
  write: OrgWrite,
  rows: readonly ListRow[],
  choosing: Choose | undefined,
): Promise<{ save(): Promise<void>; emitEvents(): void }> {
  const chosen = (await choosing?.(write, rows)) ?? new Map<string, Candidate>()
  const given = rows.filter(row => chosen.has(row.id))
  for (const row of given) {
    const { userId, name } = chosen.get(row.id) as Candidate
    row.assignee_id = userId
    row.assignee_name = name
    row.control = decideControl({ control: row.control, assigneeId: userId }, { kind: 'taken' })
  }
  return {
    async save() {
      for (const [userId, some] of Map.groupBy(given, row => row.assignee_id as string))
        await setAssignment(
          write.db,
          write.orgId,
          some.map(({ id }) => id),
          { assignee_id: userId, control: 'human' },
        )
    },
    emitEvents() {
      for (const row of given) {
        const data = { ...conversationRef(row), name: nameOf(row), by: assignmentActor }
        const from = { userId: null, teamId: row.team_id }
        write.emit({ type: 'conversation.assigned', data: { ...data, from, to: { ...from, userId: row.assignee_id } } })
      }
    },
  }
}

/** The others wait until somebody becomes available or the rules change. */
const maxAtOnce = 100

/** Assigns waiting, unassigned conversations, longest wait first. */
export async function giveOutWaiting(write: OrgWrite, choosing: Choose): Promise<void> {
  const { db, orgId } = write
  const ids = await listWaiting(db, orgId, maxAtOnce)
  if (!ids.length) return
  const found = new Map((await findRows.byId(db, ids, { orgId })).map(row => [row.id, row]))
  const rows = ids.flatMap(id => found.get(id) ?? [])
  const given = (await giveOut(write, rows, choosing)).filter((row, i) => row !== rows[i])
  await emitChanged(write, given)
}

/**
 * If a rule limits conversations per member, archiving or reassigning one makes room for a waiting one, which is
 * assigned then.
 */
export const createGivingOutListener = (
  choosing: Choose,
): TransactionListener<'conversation.archived' | 'conversation.assigned'> => ({
  name: 'conversations given out where somebody can have one more',
  on: ['conversation.archived', 'conversation.assigned'],
  after: ['taps on buttons that do something'],
  async handle(write, events) {
    const hasFreed = events.some(({ type, data }) => type === 'conversation.archived' || data.from.userId !== null)
    if (!hasFreed) return
    const rules = await listRules(write.db, write.orgId)
    if ([...rules.values()].some(({ rule }) => rule.most !== null)) await giveOutWaiting(write, choosing)
  },
})
