import { roleCan } from '#shared/kernel/permissions.ts'
import { callerId, type OrgCaller } from './actor.ts'
import type { AppError } from './errors.ts'

/** Something that a member keeps for themself or shares with the organization. */
interface OwnOrShared {
  /** Id of a person or a key. */
  readonly authorId: string
  readonly shared: boolean
}

export const isOwn = (kept: OwnOrShared, caller: OrgCaller): boolean => kept.authorId === callerId(caller)

/**
 * Own items may be changed by their author, shared ones also by administrators. Another member's own item answers 404.
 */
export function requireChangeable<T extends OwnOrShared>(
  kept: T | undefined,
  caller: OrgCaller,
  refuse: { NOT_FOUND(): AppError; NOT_YOURS(): AppError },
): T {
  if (!kept || !(kept.shared || isOwn(kept, caller))) throw refuse.NOT_FOUND()
  if (!isOwn(kept, caller) && !roleCan(caller.role, 'member:manage')) throw refuse.NOT_YOURS()
  return kept
}

/** The people affected by a change: the authors of these versions. Null: everybody. */
export const affectedAuthors = (...versions: readonly OwnOrShared[]): string[] | null =>
  versions.some(({ shared }) => shared) ? null : versions.map(({ authorId }) => authorId)
