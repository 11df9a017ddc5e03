import { orgRoles, roleCan } from '#shared/kernel/permissions.ts'
import type { GrantedTags } from './rights.ts'

/**
 * The distinct tag sets of a send's recipients when they were written: somebody with a tag of every set may write to
 * all. An empty set: a recipient without tags. Null: no recipients, or too many sets to store.
 */
export type PeopleTags = readonly (readonly string[])[] | null

/** Roles that may only send to people with certain tags. */
export const limitedRoles = orgRoles.filter(role => roleCan(role, 'bulk:send') && !roleCan(role, 'member:manage'))

const maxKinds = 64
/** Sets collected before redundant ones are removed. */
const maxCollected = 512

/** True if every recipient has a granted tag. Null: the recipients' tags are not known. Pure. */
export const coversPeople = (people: PeopleTags, granted: GrantedTags): boolean | null => {
  if (granted === null) return true
  return people === null ? null : people.every(kind => kind.some(tag => granted.has(tag)))
}

/** Removes sets that contain another one: a role with a tag of the smaller set has one of the larger. */
const withoutSupersets = (kinds: readonly (readonly string[])[]): readonly (readonly string[])[] => {
  const kept: (readonly string[])[] = []
  for (const kind of [...kinds].sort((a, b) => a.length - b.length)) {
    if (!kept.some(smaller => smaller.every(tag => kind.includes(tag)))) kept.push(kind)
  }
  return kept
}

/** Collects the tags of recipients one by one. */
export function createPeopleTags() {
  let collected = new Map<string, readonly string[]>()
  let isTooMany = false
  const shrink = () => {
    collected = new Map(withoutSupersets([...collected.values()]).map(kind => [kind.join(' '), kind]))
    if (collected.size <= maxKinds) return
    isTooMany = true
    collected.clear()
  }
  return {
    add(tagIds: readonly string[]): void {
      if (isTooMany) return
      const kind = [...tagIds].sort()
      collected.set(kind.join(' '), kind)
      if (collected.size >= maxCollected) shrink()
    },
    all(): PeopleTags {
      shrink()
      return collected.size ? [...collected.values()] : null
    },
  }
}
