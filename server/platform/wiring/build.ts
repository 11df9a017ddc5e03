import type { BaseParts } from './base.ts'
import type { Contributions, Feature, PartName, Parts } from './feature.ts'

interface Built {
  readonly parts: Parts
  /** One entry for each feature, in the order of the list. */
  readonly contributions: readonly Contributions[]
}

/**
 * Builds the features in order, each with the parts it needs. `collect` makes the parts that depend on all features'
 * contributions; features get them through `later`.
 *
 * @throws if a needed part is not built yet, two features provide the same part, or none provides one
 */
export function buildFeatures(
  features: readonly Feature[],
  base: BaseParts,
  collect: (contributions: readonly Contributions[]) => Partial<Parts> = () => ({}),
): Built {
  const built = new Map<string, unknown>(Object.entries(base))
  const providers = new Map<string, string>(Object.keys(base).map(part => [part, 'the platform']))
  const contributions: Contributions[] = []

  const provide = (by: string, parts: Partial<Parts>) => {
    for (const [part, value] of Object.entries(parts)) {
      const other = providers.get(part)
      if (other) throw new Error(`Both ${other} and ${by} provide "${part}"`)
      providers.set(part, by)
      built.set(part, value)
    }
  }

  for (const { name, needs = [], later = [], create } of features) {
    const missing = needs.find(part => !built.has(part))
    if (missing) throw new Error(`"${name}" needs "${missing}", which no feature before it provides`)
    const needed = Object.fromEntries(needs.map(part => [part, built.get(part)]))
    const { provides = {}, ...contributed } = create({ ...base, ...needed } as Parts, readLater(name, later, built))
    provide(name, provides)
    contributions.push(contributed)
  }
  provide('the loop over all features', collect(contributions))

  for (const { name, later = [] } of features) {
    const missing = later.find(part => !built.has(part))
    if (missing) throw new Error(`"${name}" reads "${missing}" later, which no feature provides`)
  }
  return { parts: Object.fromEntries(built) as unknown as Parts, contributions }
}

/** Parts that are read when they are used, because they may be built after the feature that uses them. */
const readLater = (name: string, parts: readonly PartName[], built: ReadonlyMap<string, unknown>): Parts => {
  const later = {}
  for (const part of parts)
    Object.defineProperty(later, part, {
      get: () => {
        if (!built.has(part)) throw new Error(`"${name}" reads "${part}" before it is built`)
        return built.get(part)
      },
    })
  return later as Parts
}
