import type { DomainEvent } from '#shared/events/domain.ts'
import { effectiveRole } from '#shared/permissions.ts'
import type { TransactionListener } from '../events/listeners.ts'
import type { OrgDb } from '../events/writes.ts'
import type { Limits } from './scope.ts'
import { findFacts, findLimits, listMembersByRole } from './store.ts'

const heard = ['contact.tagged', 'contact.untagged', 'tag.deleted'] as const
type Heard = Extract<DomainEvent, { type: (typeof heard)[number] }>

/** The roles whose sight hangs on this change: they have the tag, and none of the contact's others. */
const rolesOf = async (db: OrgDb, orgId: string, limits: NonNullable<Limits>, { type, data }: Heard) => {
  if (type === 'tag.deleted') return data.roles
  const facts = (await findFacts(db, orgId, [data.conversationId])).get(data.conversationId)
  const others = new Set(facts?.tagIds)
  others.delete(data.tagId)
  return [...limits].flatMap(([role, tagIds]) =>
    tagIds.includes(data.tagId) && !tagIds.some(id => others.has(id)) ? [effectiveRole(role)] : [],
  )
}

/** Where tags decide who sees a conversation, open tabs of those for whom a tag has just decided forget what they show. */
export const createTagChangeListener = (): TransactionListener<(typeof heard)[number]> => ({
  name: 'sight by tags',
  on: heard,
  // What a tab is not told it goes on showing.
  essential: true,
  async handle({ db, orgId, emit }, events) {
    // A deleted tag has left the limits; whether there are any has not changed.
    const limits = await findLimits(db, orgId)
    if (!limits) return
    const roles = new Set<string>()
    for (const event of events) for (const role of await rolesOf(db, orgId, limits, event)) roles.add(role)
    if (!roles.size) return
    const members = await listMembersByRole(db, orgId)
    const userIds = members.flatMap(({ userId, role }) => (roles.has(effectiveRole(role)) ? [userId] : []))
    if (userIds.length) emit({ type: 'visibility.changed', data: { userIds } })
  },
})
