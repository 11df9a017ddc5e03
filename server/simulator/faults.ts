import { magicFaults, type NamedFault, namedFaults } from '#shared/simulator/api.ts'
import { findCode } from './codes.ts'

/** What goes wrong with a send: a code of Meta's, or a way of failing that no code describes. */
export interface Fault {
  code: string
  mode: 'sync' | 'async'
}

export const isNamed = (code: string): code is NamedFault => (namedFaults as readonly string[]).includes(code)

/** Undefined for a code the simulator does not know. `mode` absent: as Meta mostly does. */
export function faultOf(code: string, mode?: 'sync' | 'async'): Fault | undefined {
  if (isNamed(code)) return { code, mode: code === 'noStatus' || code === 'sentThenFailed' ? 'async' : 'sync' }
  const known = findCode(code)
  return known && { code, mode: mode ?? known.mode }
}

const bySuffix: ReadonlyMap<string, string> = new Map(magicFaults.map(({ suffix, code }) => [suffix, code]))

/** An Argentine mobile whose last six digits say what goes wrong; undefined for all other numbers. */
export function magicFault(waId: string): Fault | undefined {
  const code = /^549\d{4}(\d{6})$/.exec(waId)?.[1]
  const found = code === undefined ? undefined : bySuffix.get(code)
  return found === undefined ? undefined : faultOf(found)
}
