import type { NumberOfOrg } from '#shared/numbers/api.ts'

/** A name of one of our numbers: its label, or its phone number. */
export const nameOfNumber = (numbers: readonly NumberOfOrg[], phone: string): string => {
  const number = numbers.find(one => one.phone === phone)
  return number?.label || number?.displayPhone || `+${phone}`
}

/** A short name: its label, or the end of its phone number. */
export const shortNameOfNumber = (numbers: readonly NumberOfOrg[], phone: string): string =>
  numbers.find(one => one.phone === phone)?.label || `…${phone.slice(-4)}`
