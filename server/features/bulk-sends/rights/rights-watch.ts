import { type Static, Type } from 'typebox'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { longestGapMs } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { type OrgRole, roleCan } from '#shared/kernel/permissions.ts'
import { changedEvent, moveSend } from '../changed.ts'
import type { Senders } from '../senders.ts'
import type { Scheduling } from '../sending/scheduling.ts'
import { changeSend } from '../store.ts'
import type { StoredSend } from '../stored-send.ts'
import { coversPeople, limitedRoles, type PeopleTags } from './people-tags.ts'
import { findGrantedTags, type GrantedTags } from './rights.ts'
import { listShareable, listWaiting } from './rights-store.ts'

export interface RightsWatchParts {
  readonly clock: Clock
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  readonly scopes: Pick<Scopes, 'tagsOfRole'>
  readonly senders: Pick<Senders, 'findRole'>
}

const heard = ['contentAccess.changed', 'tag.deleted', 'tag.merged', 'member.left', 'member.roleChanged'] as const
type Heard = (typeof heard)[number]

/** Checked in one commit: a few milliseconds. */
const waitingAtOnce = 50
const sharedAtOnce = 200

const Payload = Type.Object({
  /** Only memberships changed, not grants. */
  peopleOnly: Type.Boolean(),
  merged: Type.Optional(Type.Object({ from: Type.String(), into: Type.String() })),
  /** The person who changed it. */
  changedBy: Type.Optional(Type.Object({ id: Type.String(), name: Type.String() })),
})

const renamed = (people: PeopleTags, { from, into }: { from: string; into: string }): PeopleTags =>
  people === null ? null : people.map(kind => [...new Set(kind.map(tag => (tag === from ? into : tag)))].sort())

/** True if the send was blocked because its creator lost the right before it began. */
const waitsForRight = ({ state, reason, startedAt }: Pick<StoredSend, 'state' | 'reason' | 'startedAt'>) =>
  state === 'blocked' && reason === 'noPermission' && startedAt === null

/** Grants of each role and creators' roles, cached for one transaction. */
function createRights({ scopes, senders }: Pick<RightsWatchParts, 'scopes' | 'senders'>, db: Db, orgId: string) {
  const roles = new Map<string, Promise<OrgRole | undefined>>()
  const granted = new Map<OrgRole, Promise<GrantedTags>>()
  const once = <K, V>(known: Map<K, V>, key: K, make: () => V): V => {
    const value = known.get(key) ?? make()
    known.set(key, value)
    return value
  }
  const grantedTo = (role: OrgRole) => once(granted, role, () => findGrantedTags(db, orgId, role, scopes))
  return {
    /** True if all roles with limited tags may see all of these people. */
    async isShared(people: PeopleTags): Promise<boolean> {
      for (const role of limitedRoles) if (coversPeople(people, await grantedTo(role)) !== true) return false
      return true
    },
    /** True if the creator may send to all recipients. What is unknown is checked at hand-over. */
    async maySend({ creatorId, audience, peopleTags }: StoredSend): Promise<boolean> {
      const role = await once(roles, creatorId, () => senders.findRole(db, orgId, creatorId))
      if (!role || !roleCan(role, 'bulk:send')) return false
      return audience.isOneChat === true || coversPeople(peopleTags, await grantedTo(role)) !== false
    },
  }
}

/**
 * Follows changes of grants and roles: sends that have not begun are blocked when their creator loses the right, and
 * unblocked when they regain it. Sends that others may see now are shared.
 */
export function createRightsWatch(parts: RightsWatchParts & { readonly scheduling: Scheduling }) {
  const { clock, jobs, writes, scheduling } = parts
  const by = systemActor('bulkSends')
  const rightsIn = ({ db, orgId }: OrgWrite) => createRights(parts, db, orgId)

  const comeBack = (write: OrgWrite, send: StoredSend): Promise<StoredSend> => {
    // Its time counts once it is approved.
    if (send.approval?.state === 'needed') return moveSend(write, send, { state: 'ready' })
    return send.startsAt && scheduling.isAhead(send.startsAt)
      ? scheduling.set(write, send, send.startsAt)
      : moveSend(write, send, { state: 'ready', startsAt: null })
  }

  const judgeWaiting = (
    orgId: string,
    after: string,
    changedBy: Static<typeof Payload>['changedBy'],
  ): Promise<string | undefined> =>
    writes.run(orgId, changedBy ? { kind: 'person', ...changedBy } : by, async write => {
      const found = await listWaiting(write.db, orgId, { after, limit: waitingAtOnce })
      const rights = rightsIn(write)
      for (const send of found) {
        const may = await rights.maySend(send)
        if (send.state === 'blocked') {
          if (may && waitsForRight(send)) await comeBack(write, send)
        } else if (!may) await moveSend(write, send, { state: 'blocked', reason: 'noPermission' })
      }
      return found.length === waitingAtOnce ? found.at(-1)?.id : undefined
    })

  const share = (orgId: string, after: string, merged: Static<typeof Payload>['merged']): Promise<string | undefined> =>
    writes.run(orgId, by, async write => {
      const found = await listShareable(write.db, orgId, { after, limit: sharedAtOnce })
      const rights = rightsIn(write)
      let last: StoredSend | undefined
      for (const send of found) {
        const isConcerned = merged && send.peopleTags?.some(kind => kind.includes(merged.from))
        const peopleTags = isConcerned ? renamed(send.peopleTags, merged) : send.peopleTags
        const isShared = await rights.isShared(peopleTags)
        if (!isConcerned && isShared === send.isShared) continue
        await changeSend(write.db, orgId, send.id, { isShared, ...(isConcerned ? { peopleTags } : {}) })
        if (isShared !== send.isShared) last = { ...send, isShared }
      }
      // One event makes open lists reload.
      if (last) write.emit(changedEvent(last, last.state))
      return found.length === sharedAtOnce ? found.at(-1)?.id : undefined
    })

  const queue = jobs.register({
    name: 'bulkSends.rights',
    looksWithinMs: longestGapMs,
    payload: Payload,
    lane: 'bulk',
    atOnce: 1,
    isKept: false,
    async run({ orgId, payload: { peopleOnly, merged, changedBy } }, { signal }) {
      if (!peopleOnly)
        for (let after: string | undefined = ''; after !== undefined; ) {
          if (signal.aborted) return { kind: 'released' }
          after = await share(orgId, after, merged)
        }
      for (let after: string | undefined = ''; after !== undefined; ) {
        if (signal.aborted) return { kind: 'released' }
        after = await judgeWaiting(orgId, after, changedBy)
      }
      return undefined
    },
    lost: () => ({ kind: 'retry', reason: 'LOST' }),
  })

  const listener: TransactionListener<Heard> = {
    name: 'rights to bulk sends',
    on: heard,
    essential: true,
    async handle({ db, orgId, by, afterCommit }, events) {
      const merges = events.flatMap(({ type, data }) =>
        type === 'tag.merged' ? { from: data.tagId, into: data.into.id } : [],
      )
      const peopleOnly = events.every(({ type }) => type === 'member.left' || type === 'member.roleChanged')
      const dueAt = isoNow(clock)
      const changedBy = by.kind === 'person' && by.id !== null ? { id: by.id, name: by.name ?? '' } : undefined
      const all = { peopleOnly, ...(changedBy ? { changedBy } : {}) }
      const payloads = merges.length ? merges.map(merged => ({ ...all, merged })) : [all]
      await queue.add(
        db,
        orgId,
        payloads.map(payload => ({ payload, dueAt })),
      )
      afterCommit(queue.wake)
    },
  }

  return { listener, rightsIn }
}
export type RightsWatch = ReturnType<typeof createRightsWatch>
