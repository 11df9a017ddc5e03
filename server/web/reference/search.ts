import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import type { Say } from './fields.ts'
import { type Group, groups, referenceGroup } from './groups.ts'

/** Characters of a search. */
export const maxAskedLength = 100
/** Found calls on one page of results. */
export const maxFound = 60

/** The text without case and accents. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const spaced = (name: string) => name.replace(/[A-Z]/g, letter => ` ${letter}`)

interface FoundCall {
  readonly call: DescribedCall
  readonly group: Group
}

/**
 * The calls that have every word of `text` in their address, name or summary, first those with all of them in the
 * name; behind them those whose group has the rest of the words in its name or introduction, which are in the
 * reader's language.
 */
export function findCalls(text: string, calls: readonly DescribedCall[], say: Say): readonly FoundCall[] {
  const words = folded(text).split(/\s+/).filter(Boolean)
  if (!words.length) return []
  const groupTexts = new Map<Group, string>()
  const textOf = (group: Group) => {
    const known =
      groupTexts.get(group) ?? folded(`${say(`docs:groups.${group}.name`)} ${say(`docs:groups.${group}.text`)}`)
    groupTexts.set(group, known)
    return known
  }
  const found = calls.flatMap(call => {
    const group = referenceGroup(call)
    const own = folded(`${call.method} ${call.url} ${call.service}.${call.name} ${spaced(call.name)} ${call.summary}`)
    const missing = words.filter(word => !own.includes(word))
    if (missing.some(word => !textOf(group).includes(word))) return []
    const isNamed = words.every(word => folded(spaced(call.name)).includes(word)) || words.includes(folded(call.url))
    return [{ call, group, missing: missing.length, isNamed }]
  })
  return found.toSorted(
    (a, b) =>
      a.missing - b.missing ||
      Number(b.isNamed) - Number(a.isNamed) ||
      groups.indexOf(a.group) - groups.indexOf(b.group),
  )
}
