import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { findSendIdOf } from '../drafts/recipe-store.ts'
import { bulkSendErrors } from '../errors.ts'
import { findSend } from '../store.ts'
import type { StoredSend } from '../stored-send.ts'
import { coversPeople } from './people-tags.ts'
import { findGrantedTags } from './rights.ts'

type TagsOfRole = Pick<Scopes, 'tagsOfRole'>

/** The person whose rights count. */
export const creatorOf = (caller: OrgCaller): string => (caller.kind === 'key' ? caller.creatorId : caller.userId)
export const seesAllSends = ({ role }: OrgCaller): boolean => roleCan(role, 'member:manage')

/** The facts of a send that decide who may see it. */
type SightFacts = Pick<StoredSend, 'creatorId' | 'isTest' | 'peopleTags'>

const isOwn = (caller: OrgCaller, send: SightFacts) => send.creatorId === creatorOf(caller)

/** True if the caller sees the send only because of granted tags, if at all. */
export const seesByTags = (caller: OrgCaller, send: SightFacts): boolean =>
  !seesAllSends(caller) && !isOwn(caller, send)

/** Returns the sends that the caller may see with the current grants. */
export async function findSeen<T extends SightFacts>(
  db: Db,
  scopes: TagsOfRole,
  caller: OrgCaller,
  sends: readonly T[],
): Promise<T[]> {
  if (sends.every(send => !seesByTags(caller, send))) return [...sends]
  const granted = await findGrantedTags(db, caller.orgId, caller.role, scopes)
  const maySend = roleCan(caller.role, 'bulk:send')
  return sends.filter(
    send => !seesByTags(caller, send) || (maySend && !send.isTest && coversPeople(send.peopleTags, granted) === true),
  )
}

/** Undefined: it does not exist for this caller. */
export async function findVisible(
  db: Db,
  scopes: TagsOfRole,
  caller: OrgCaller,
  id: string,
): Promise<StoredSend | undefined> {
  const send = await findSend(db, caller.orgId, id)
  return send && (await findSeen(db, scopes, caller, [send]))[0]
}

/** The send of a message. Undefined: none that this caller may see. */
export const createFindSendOf =
  (scopes: TagsOfRole) =>
  async (db: Db, caller: OrgCaller, messageId: string): Promise<string | undefined> => {
    if (!roleCan(caller.role, 'bulk:send')) return undefined
    const id = await findSendIdOf(db, caller.orgId, messageId)
    return id === undefined ? undefined : (await findVisible(db, scopes, caller, id))?.id
  }

/** @throws BULK_SENDS_NOT_FOUND */
export const requireVisible = async (...of: Parameters<typeof findVisible>): Promise<StoredSend> => {
  const send = await findVisible(...of)
  if (!send) throw bulkSendErrors.NOT_FOUND()
  return send
}
