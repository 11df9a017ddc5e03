import { Type } from 'typebox'
import type { Found } from '../problems/problem.ts'
import { type ContentOf, closed, PartId } from './fields.ts'
import type { ChoosingKind } from './kind.ts'

const limits = { min: 2, max: 4 } as const
const Branch = Type.Object({ id: PartId, weight: Type.Integer({ minimum: 1, maximum: 99 }) }, closed)
export const splitFields = {
  branches: Type.Optional(
    Type.Array(Branch, { maxItems: limits.max, description: 'Their weights are percentages: 100 together.' }),
  ),
}
type Split = ContentOf<typeof splitFields, 'branches'>

/** FNV-1a with the finalizer of MurmurHash3: similar texts get unrelated numbers below 2³². */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const letterOf = (place: number): string => 'ABCD'.charAt(place)

/** Splits customers at random. An output is the id of a branch. */
export const split: ChoosingKind<Split> = {
  icon: 'M4 12h4l8-6h4m-3-3 3 3-3 3M8 12l8 6h4m-3-3 3 3-3 3',
  tone: 'decides',
  summary: ({ branches }, t) =>
    branches.map(({ weight }, i) => t('split.share', { name: letterOf(i), percent: weight })).join(' · '),
  defaults: { branches: [] },
  create: newId => ({
    branches: [
      { id: newId(), weight: 50 },
      { id: newId(), weight: 50 },
    ],
  }),
  outputs: ({ branches }) => branches.map(({ id }) => id),
  outputName({ branches }, output) {
    const place = branches.findIndex(({ id }) => id === output)
    return place === -1 ? undefined : letterOf(place)
  },
  /** Nothing is stored: the customer's id and the node's decide, so a customer takes the same branch at each visit. */
  choose({ branches, id }, customerId) {
    const total = branches.reduce((sum, { weight }) => sum + weight, 0)
    let left = (hashOf(`${customerId} ${id}`) / 2 ** 32) * total
    const chosen = branches.find(({ weight }) => {
      left -= weight
      return left < 0
    })
    return chosen?.id ?? 'next'
  },
  problems({ branches }) {
    const field = 'branches'
    const total = branches.reduce((sum, { weight }) => sum + weight, 0)
    const found: Found[] = []
    if (branches.length < limits.min || branches.length > limits.max)
      found.push({ field, code: 'branchesCount', params: limits })
    else if (total !== 100) found.push({ field, code: 'weightsTotal', params: { total } })
    if (new Set(branches.map(({ id }) => id)).size < branches.length) found.push({ field, code: 'idTwice' })
    return found
  },
}
