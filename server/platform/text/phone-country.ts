import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** A number of no known country. */
export const unknownCountry = '??'

/** ISO 3166-1 alpha-2 code of the country of a number in digits, or `??`. */
export const countryOf = (digits: string): string => parsePhoneNumberFromString(`+${digits}`)?.country ?? unknownCountry
