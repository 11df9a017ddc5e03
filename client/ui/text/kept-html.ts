import { createAttached } from '#client/app/queries/attached.ts'
import type { Html } from './html.ts'

/**
 * Caches the markup of immutable objects, on the server across all pages that show them. `facts`: everything else
 * that the markup depends on, compared by identity. One entry per object, that of its last reader; it is
 * garbage-collected with the object.
 */
export const createKeptHtml = <T extends object>() => {
  const kept = createAttached<T, { readonly facts: readonly unknown[]; readonly made: Html }>()
  return (of: T, facts: readonly unknown[], make: () => Html): Html => {
    const known = kept.of(of)
    if (known && facts.every((fact, i) => fact === known.facts[i])) return known.made
    const made = make()
    kept.attach(of, { facts, made })
    return made
  }
}
