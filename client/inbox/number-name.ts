import type { NumberOfOrg } from '#shared/numbers.ts'

/** What people call a number of ours: the name they gave it, else its phone. */
export const nameOfNumber = (numbers: readonly NumberOfOrg[], phone: string): string => {
  const number = numbers.find(one => one.phone === phone)
  return number?.label || number?.displayPhone || `+${phone}`
}
