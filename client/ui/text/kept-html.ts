import { createAttached } from '#client/app/attached.ts'
import type { Html } from './html.ts'

/**
 * Markup made of things that never change: the same thing drawn for the same reader is drawn once, on the server across
 * all pages that show it. What else the markup depends on stands in `facts`, which are compared by identity; markup is
 * let go with its thing, and there is one for each thing, of its last reader.
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
