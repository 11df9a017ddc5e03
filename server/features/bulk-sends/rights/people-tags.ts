import { orgRoles, roleCan } from '#shared/kernel/permissions.ts'
import type { GrantedTags } from './rights.ts'

/**
 * The tags that a send's people had when they were written down, each kind of them once: who was granted one of every kind
 * may write to all. An empty kind: somebody had none. Null: nobody, or so many kinds that they are not kept.
 */
export type PeopleTags = readonly (readonly string[])[] | null

/** Roles that send to people with their tags only. */
export const limitedRoles = orgRoles.filter(role => roleCan(role, 'bulk:send') && !roleCan(role, 'member:manage'))

const mostKinds = 64
/** So many are looked at before those that say nothing new go. */
const mostNoted = 512

/** Whether every one of these people has a granted tag; null: that is not known. Pure. */
export const coversPeople = (people: PeopleTags, granted: GrantedTags): boolean | null => {
  if (granted === null) return true
  return people === null ? null : people.every(kind => kind.some(tag => granted.has(tag)))
}

/** Without those that say no more than another one: whoever has a tag of the smaller has one of the larger. */
const fewest = (kinds: readonly (readonly string[])[]): readonly (readonly string[])[] => {
  const kept: (readonly string[])[] = []
  for (const kind of [...kinds].sort((a, b) => a.length - b.length)) {
    if (!kept.some(smaller => smaller.every(tag => kind.includes(tag)))) kept.push(kind)
  }
  return kept
}

/** Notes the tags of one person after the other. */
export function createPeopleTags() {
  let noted = new Map<string, readonly string[]>()
  let isTooMany = false
  const shrink = () => {
    noted = new Map(fewest([...noted.values()]).map(kind => [kind.join(' '), kind]))
    if (noted.size <= mostKinds) return
    isTooMany = true
    noted.clear()
  }
  return {
    add(tagIds: readonly string[]): void {
      if (isTooMany) return
      const kind = [...tagIds].sort()
      noted.set(kind.join(' '), kind)
      if (noted.size >= mostNoted) shrink()
    },
    all(): PeopleTags {
      shrink()
      return noted.size ? [...noted.values()] : null
    },
  }
}
