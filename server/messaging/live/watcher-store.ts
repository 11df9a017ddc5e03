import { isOpenedBySession, meetsSsoDemand } from '#server/identity/auth/sso/demand-condition.ts'
import type { Db } from '#server/platform/db/database.ts'
import { readKeyPermissions } from '#shared/auth/api-keys.ts'
import { effectiveRole, type OrgRole, roleCan } from '#shared/kernel/permissions.ts'

/** A person or key that holds a stream open. */
export interface Watcher {
  readonly orgId: string
  /** For a key its id, so that events for people do not reach it. */
  readonly userId: string
  /** Null: it is a key. */
  readonly sessionId: string | null
  /** The role when the stream began. For a key, its creator's. */
  readonly role: OrgRole
  /** The key's creator. */
  readonly creatorId?: string
}

/** `roleChanged`: it may see other things now, and the client reconnects. */
type WatcherEnd = 'signedOut' | 'notMember' | 'roleChanged'

/** The streams that must end, and why. Others are absent. */
export async function endedWatchers<W extends Watcher>(
  db: Db,
  all: readonly W[],
  now: string,
): Promise<Map<W, WatcherEnd>> {
  const ended = new Map<W, WatcherEnd>()
  const watchers = all.filter(({ sessionId }) => sessionId !== null)
  for (let from = 0; from < watchers.length; from += 500) {
    const part = watchers.slice(from, from + 500)
    const users = [...new Set(part.map(watcher => watcher.userId))]
    const sessions = await db
      .selectFrom('session')
      .innerJoin('user', 'user.id', 'session.userId')
      .select(['session.id', 'session.userId', 'user.banned', 'user.banExpires'])
      .where('session.id', 'in', [...new Set(part.map(watcher => watcher.sessionId as string))])
      .where('session.expiresAt', '>', now)
      .execute()
    const members = await db
      .selectFrom('member')
      .leftJoin('org_settings', 'org_settings.org_id', 'member.organizationId')
      .leftJoin('second_factor', 'second_factor.user_id', 'member.userId')
      .select(['member.userId', 'member.organizationId', 'member.role'])
      .where(eb =>
        eb.or([
          eb('org_settings.second_factor_required', 'is', null),
          eb('org_settings.second_factor_required', '=', 0),
          eb('second_factor.user_id', 'is not', null),
        ]),
      )
      .where('member.userId', 'in', users)
      .where('member.organizationId', 'in', [...new Set(part.map(watcher => watcher.orgId))])
      .execute()
    const withSso = await db
      .selectFrom('session')
      .innerJoin('member', 'member.userId', 'session.userId')
      .select(['session.id', 'member.organizationId'])
      .where('session.id', 'in', [...new Set(part.map(watcher => watcher.sessionId as string))])
      .where('member.organizationId', 'in', [...new Set(part.map(watcher => watcher.orgId))])
      .where(eb => isOpenedBySession(eb, { orgId: 'member.organizationId', boundOrgId: 'session.boundOrgId' }))
      .where(eb =>
        meetsSsoDemand(eb, {
          orgId: 'member.organizationId',
          userId: 'member.userId',
          role: 'member.role',
          providerId: 'session.ssoProviderId',
        }),
      )
      .execute()
    const meetsSso = new Set(withSso.map(row => `${row.organizationId} ${row.id}`))
    const signedIn = new Set(
      sessions
        .filter(row => !row.banned || (row.banExpires !== null && row.banExpires <= now))
        .map(row => `${row.id} ${row.userId}`),
    )
    const roles = new Map(members.map(row => [`${row.organizationId} ${row.userId}`, effectiveRole(row.role)]))
    for (const watcher of part) {
      if (!signedIn.has(`${watcher.sessionId} ${watcher.userId}`)) ended.set(watcher, 'signedOut')
      else {
        const role = roles.get(`${watcher.orgId} ${watcher.userId}`)
        if (!role || !roleCan(role, 'chat:read') || !meetsSso.has(`${watcher.orgId} ${watcher.sessionId}`))
          ended.set(watcher, 'notMember')
        else if (role !== watcher.role) ended.set(watcher, 'roleChanged')
      }
    }
  }
  for (const [watcher, why] of await endedKeys(db, all, now)) ended.set(watcher, why)
  return ended
}

/** Streams of keys that may no longer read chats, or whose creator's role changed. */
async function endedKeys<W extends Watcher>(db: Db, all: readonly W[], now: string): Promise<[W, WatcherEnd][]> {
  const watchers = all.filter(({ sessionId }) => sessionId === null)
  const alive = new Map<string, OrgRole>()
  for (let from = 0; from < watchers.length; from += 500) {
    const rows = await db
      .selectFrom('apikey')
      .innerJoin('member', 'member.id', 'apikey.member_id')
      .innerJoin('user', 'user.id', 'member.userId')
      .leftJoin('org_settings', 'org_settings.org_id', 'apikey.referenceId')
      .leftJoin('second_factor', 'second_factor.user_id', 'member.userId')
      .where(eb =>
        eb.or([
          eb('org_settings.second_factor_required', 'is', null),
          eb('org_settings.second_factor_required', '=', 0),
          eb('second_factor.user_id', 'is not', null),
        ]),
      )
      .select(['apikey.id', 'apikey.permissions', 'member.role'])
      .where('apikey.id', 'in', [...new Set(watchers.slice(from, from + 500).map(({ userId }) => userId))])
      .where('apikey.enabled', '=', 1)
      .where(eb => eb.or([eb('apikey.expiresAt', 'is', null), eb('apikey.expiresAt', '>=', now)]))
      .where(eb => eb.or([eb('user.banned', 'is', null), eb('user.banned', '=', 0), eb('user.banExpires', '<', now)]))
      .execute()
    for (const { id, permissions, role } of rows)
      if (roleCan(effectiveRole(role), 'chat:read') && (readKeyPermissions(permissions)?.includes('chat:read') ?? true))
        alive.set(id, effectiveRole(role))
  }
  return watchers.flatMap((watcher): [W, WatcherEnd][] => {
    const role = alive.get(watcher.userId)
    if (role === undefined) return [[watcher, 'signedOut']]
    return role === watcher.role ? [] : [[watcher, 'roleChanged']]
  })
}
