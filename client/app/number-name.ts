import type { NumberOfOrg } from '#shared/numbers/api.ts'

/** What people call a number of ours: the name they gave it, else its phone. */
export const nameOfNumber = (numbers: readonly NumberOfOrg[], phone: string): string => {
  const number = numbers.find(one => one.phone === phone)
  return number?.label || number?.displayPhone || `+${phone}`
}

/** The same where there is little room: the name, else the end of the phone. */
export const shortNameOfNumber = (numbers: readonly NumberOfOrg[], phone: string): string =>
  numbers.find(one => one.phone === phone)?.label || `…${phone.slice(-4)}`
