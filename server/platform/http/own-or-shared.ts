import { roleCan } from '#shared/kernel/permissions.ts'
import { callerId, type OrgCaller } from './actor.ts'
import type { AppError } from './errors.ts'

/** What somebody keeps for themselves, or for everybody of the organization. */
export interface OwnOrShared {
  /** A person's id, or a key's. */
  readonly authorId: string
  readonly shared: boolean
}

export const isOwn = (kept: OwnOrShared, caller: OrgCaller): boolean => kept.authorId === callerId(caller)

/** Changed by whoever keeps it, and where it is shared by who administers; another's own is not there. */
export function requireChangeable<T extends OwnOrShared>(
  kept: T | undefined,
  caller: OrgCaller,
  refuse: { NOT_FOUND(): AppError; NOT_YOURS(): AppError },
): T {
  if (!kept || !(kept.shared || isOwn(kept, caller))) throw refuse.NOT_FOUND()
  if (!isOwn(kept, caller) && !roleCan(caller.role, 'member:manage')) throw refuse.NOT_YOURS()
  return kept
}

/** Whom a change concerns: those who had one of these versions; null: everybody. */
export const audienceOf = (...versions: readonly OwnOrShared[]): string[] | null =>
  versions.some(({ shared }) => shared) ? null : versions.map(({ authorId }) => authorId)
