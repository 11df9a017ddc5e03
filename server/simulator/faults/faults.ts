import { findCode } from '#server/whatsapp/serving/codes.ts'
import { type NamedFault, namedFaults, testNumberFaults } from '#shared/simulator/faults.ts'

/** A failure of a send. `code`: one of Meta's, or the name of a failure that has none. */
export interface Fault {
  code: string
  mode: 'sync' | 'async'
}

export const isNamed = (code: string): code is NamedFault => (namedFaults as readonly string[]).includes(code)

/** Undefined: unknown code. `mode` absent: as Meta usually does. */
export function simulatedFault(code: string, mode?: 'sync' | 'async'): Fault | undefined {
  if (isNamed(code)) return { code, mode: code === 'noStatus' || code === 'sentThenFailed' ? 'async' : 'sync' }
  const known = findCode(code)
  return known && { code, mode: mode ?? known.mode }
}

const bySuffix: ReadonlyMap<string, string> = new Map(testNumberFaults.map(({ suffix, code }) => [suffix, code]))

/** Test numbers: the last six digits of an Argentine mobile number select a fault; undefined for other numbers. */
export function testNumberFault(waId: string): Fault | undefined {
  const code = /^549\d{4}(\d{6})$/.exec(waId)?.[1]
  const found = code === undefined ? undefined : bySuffix.get(code)
  return found === undefined ? undefined : simulatedFault(found)
}
