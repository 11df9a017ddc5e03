import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** Stands for the country of a number that belongs to none or that is unknown. */
export const unknownCountry = '??'

/** ISO 3166-1 alpha-2 code of the country of a number in digits, or `unknownCountry`. Takes some 50 µs. */
export const phoneCountry = (digits: string): string =>
  parsePhoneNumberFromString(`+${digits}`)?.country ?? unknownCountry
