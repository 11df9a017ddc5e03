import type { DomainEvent } from '#server/platform/events/domain.ts'
import { everyOther } from '#server/platform/events/listener-order.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import { type ConversationFacts, type Limits, type ScopeOwner, scopeBy, sees } from './scope.ts'
import { findFacts, findLimits, listMembersByRole } from './store.ts'

const heard = [
  'contact.tagged',
  'contact.untagged',
  'tag.merged',
  'tag.deleted',
  'conversation.assigned',
  'team.memberAdded',
  'team.memberRemoved',
  'team.removed',
] as const
type Heard = Extract<DomainEvent, { type: (typeof heard)[number] }>
type Tagged = Extract<DomainEvent, { type: 'contact.tagged' | 'contact.untagged' }>
type Assigned = Extract<DomainEvent, { type: 'conversation.assigned' }>

interface Stage {
  readonly limits: NonNullable<Limits>
  readonly facts: ReadonlyMap<string, ConversationFacts>
  readonly members: readonly ScopeOwner[]
}

/** Members whose role has this tag but none of the contact's others. */
const byTag = ({ limits: { tags }, facts, members }: Stage, { data }: Tagged) => {
  const others = new Set(facts.get(data.conversationId)?.tagIds)
  others.delete(data.tagId)
  return members.filter(({ role }) => {
    const granted = tags?.get(role) ?? []
    return granted.includes(data.tagId) && !granted.some(id => others.has(id))
  })
}

/** Members who saw the conversation before this assignment but do not see it now. */
const byAssignment = ({ limits, facts, members }: Stage, { data: { conversationId, from, to } }: Assigned) => {
  const now = facts.get(conversationId)
  if (!now) return []
  // If the team stays the same, only the former assignee's scope can change.
  const candidates = from.teamId === to.teamId ? members.filter(one => one.personId === from.userId) : members
  const was = { ...now, assigneeId: from.userId, teamId: from.teamId }
  const is = { ...now, assigneeId: to.userId, teamId: to.teamId }
  return candidates.filter(one => {
    const scope = scopeBy(limits, one)
    return sees(scope, was) && !sees(scope, is)
  })
}

const concerned = (stage: Stage, event: Heard): readonly ScopeOwner[] => {
  const { members } = stage
  switch (event.type) {
    case 'contact.tagged':
    case 'contact.untagged':
      return byTag(stage, event)
    case 'tag.merged':
    case 'tag.deleted':
      return stage.limits.tags ? members.filter(({ role }) => event.data.roles.includes(role)) : []
    case 'conversation.assigned':
      return byAssignment(stage, event)
    case 'team.memberAdded':
    case 'team.memberRemoved':
      return members.filter(({ personId }) => personId === event.data.userId)
    // Its former members are no longer known.
    case 'team.removed':
      return members
  }
}

/** If conversations are limited, makes open tabs of people whose scope just changed discard what they show. */
export const createScopeListener = (): TransactionListener<(typeof heard)[number]> => ({
  name: 'changes of sight',
  on: heard,
  after: [everyOther],
  // Tabs keep showing what they are not told to drop.
  essential: true,
  async handle({ db, orgId, emit }: OrgWrite, events) {
    // A deleted tag is already gone from the limits, but whether there are limits has not changed.
    const limits = await findLimits(db, orgId)
    if (!limits) return
    const ids = events.flatMap(({ data }) => ('conversationId' in data ? [data.conversationId] : []))
    const facts = await findFacts(db, orgId, [...new Set(ids)])
    const members = (await listMembersByRole(db, orgId))
      .map(({ userId, role }) => ({ role: effectiveRole(role), personId: userId }))
      .filter(one => scopeBy(limits, one).kind !== 'all')
    const userIds = new Set<string>()
    for (const event of events)
      for (const { personId } of concerned({ limits, facts, members }, event)) userIds.add(personId)
    if (userIds.size) emit({ type: 'visibility.changed', data: { userIds: [...userIds] } })
  },
})
