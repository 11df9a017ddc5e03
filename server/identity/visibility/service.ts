import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { forbidden } from '#server/platform/http/errors.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { effectiveRole, type OrgRole, roleCan } from '#shared/kernel/permissions.ts'
import type { visibilityApi } from '#shared/orgs/visibility.ts'
import { visibilityErrors } from './errors.ts'
import { isUnlimited } from './scope.ts'
import {
  addGrant,
  findLimiting,
  isGranted,
  listGranted,
  listMembersByRole,
  removeGrant,
  saveLimiting,
} from './store.ts'

interface VisibilityParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  /** The organization's tags, by label. */
  readonly tags: {
    list(db: Db, orgId: string): Promise<readonly { readonly id: string; readonly label: string }[]>
    has(db: Db, orgId: string, id: string): Promise<boolean>
  }
}

type VisibilityService = ServiceOf<typeof visibilityApi, OrgCaller>

/** The settings of visibility: which roles see the content of which tags, and what limits conversations. */
export function createVisibility({ databases, clock, writes, tags }: VisibilityParts): VisibilityService {
  const grantedTo = async (db: Db, orgId: string, role: OrgRole): Promise<string[]> =>
    isUnlimited(role) ? (await tags.list(db, orgId)).map(({ id }) => id) : listGranted(db, orgId, role)

  /** Makes open tabs of these roles drop what they show. */
  const announce = async (write: OrgWrite, concerns: (role: OrgRole) => boolean) => {
    const members = await listMembersByRole(write.db, write.orgId)
    const userIds = members.flatMap(({ userId, role }) => (concerns(effectiveRole(role)) ? [userId] : []))
    if (userIds.length) write.emit({ type: 'visibility.changed', data: { userIds } })
  }

  return {
    /** @throws APP_FORBIDDEN for another role than the caller's, unless the caller manages members */
    async listAssignedTags(caller, { query: { role = caller.role } }) {
      if (role !== caller.role && !roleCan(caller.role, 'member:manage')) throw forbidden('member:manage')
      const ids = await grantedTo(databases.read, caller.orgId, role)
      return { items: ids.map(tagId => ({ tagId })) }
    },

    async listAvailableTags({ orgId, role }) {
      const all = await tags.list(databases.read, orgId)
      const own = new Set(await grantedTo(databases.read, orgId, role))
      return { items: all.flatMap(({ id, label }) => (own.has(id) ? [{ id, label }] : [])) }
    },

    /** Idempotent. @throws VISIBILITY_TAG_NOT_FOUND, VISIBILITY_ROLE_HAS_ALL */
    setContentPermission: (caller, { body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const { role, phoneTagId: tagId } = body
        if (!(await tags.has(db, orgId, tagId))) throw visibilityErrors.TAG_NOT_FOUND()
        if (isUnlimited(role)) throw visibilityErrors.ROLE_HAS_ALL({ fields: ['body.role'] })
        const before = await isGranted(db, orgId, { role, tagId })
        const granted = body.granted ?? !before
        if (granted !== before) {
          if (granted) await addGrant(db, orgId, { role, tagId }, isoNow(clock))
          else await removeGrant(db, orgId, { role, tagId })
          write.emit({ type: 'contentAccess.changed', data: { role, tagId, granted } })
          if ((await findLimiting(db, orgId)).conversations) await announce(write, one => one === role)
        }
        return { role, phoneTagId: tagId, granted }
      }),

    getContentAccess: ({ orgId }) => findLimiting(databases.read, orgId),

    changeContentAccess: (caller, { body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const before = await findLimiting(db, orgId)
        const after = { ...before, ...body }
        if (after.conversations === before.conversations && after.teams === before.teams) return before
        await saveLimiting(db, orgId, after, isoNow(clock))
        write.emit({ type: 'contentAccess.applied', data: after })
        await announce(write, role => !isUnlimited(role))
        return after
      }),
  }
}
