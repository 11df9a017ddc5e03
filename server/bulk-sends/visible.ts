import { roleCan } from '#shared/permissions.ts'
import type { OrgCaller } from '../actor.ts'
import type { Db } from '../db.ts'
import { findSendIdOf } from './recipe-store.ts'
import { findSend, type StoredSend } from './store.ts'

/** The person whose rights count. */
export const creatorOf = (caller: OrgCaller): string => (caller.kind === 'key' ? caller.creatorId : caller.userId)
export const seesAllSends = ({ role }: OrgCaller): boolean => roleCan(role, 'member:manage')

/** Undefined: there is none, or none this caller may see. */
export async function findVisible(db: Db, caller: OrgCaller, id: string): Promise<StoredSend | undefined> {
  const send = await findSend(db, caller.orgId, id)
  return send && (seesAllSends(caller) || send.creatorId === creatorOf(caller)) ? send : undefined
}

/** The send that a message was part of; undefined: of none, or of none that this caller may see. */
export async function findSendOf(db: Db, caller: OrgCaller, messageId: string): Promise<string | undefined> {
  if (!roleCan(caller.role, 'bulk:send')) return undefined
  const id = await findSendIdOf(db, caller.orgId, messageId)
  return id === undefined ? undefined : (await findVisible(db, caller, id))?.id
}
