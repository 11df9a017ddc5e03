import { bodyLimitBytes, bodyLimitValues } from '#shared/kernel/limits.ts'
import { fill } from './fill.ts'

/** A call as its contract describes it. */
export interface Call {
  readonly method: string
  readonly url: string
  readonly bodyLimit?: number
  readonly bodyValues?: number
  /** Names of the fields of its query. */
  readonly query?: readonly string[]
}

/** The most expensive accepted bodies: as many values and bytes as the limits allow. */
export const bodiesOf = ({
  bodyLimit = bodyLimitBytes,
  bodyValues = bodyLimitValues,
}: Call): Record<string, string> => ({
  'most values': `{"a":[${fill(() => '{}', bodyLimit - 10, bodyValues / 2 - 2)}]}`,
  'most fields': `{${fill(i => `"k${i}":{}`, bodyLimit - 10, bodyValues / 2 - 2)}}`,
  'most bytes': `{"a":"${'ñ'.repeat((bodyLimit - 10) >> 1)}"}`,
  'too many values': `[${fill(() => '{}', bodyLimit - 10)}]`,
})

/** Node refuses requests with a larger head, which also contains the cookie and other headers. */
const queryBytes = 14 * 1024

/** The most expensive accepted queries, with the call's fields and with unknown ones. */
export const queriesOf = ({ query = [] }: Call): Record<string, string> => {
  const each = Math.floor(queryBytes / Math.max(1, query.length)) - 20
  const values = (value: string) => query.map(name => `${name}=${value}`).join('&')
  const known = {
    'long values': values('%C3%B1'.repeat(Math.floor(each / 6))),
    'values of words': values('a+'.repeat(Math.floor(each / 2))),
    'a letter': values('a'),
    brackets: 'a[__proto__][]=1&'.repeat(Math.floor(queryBytes / 17)),
  }
  return {
    ...(query.length ? known : {}),
    'many fields': fill(i => `${i.toString(36)}=`, queryBytes).replaceAll(',', '&'),
  }
}

/** Forms for the Graph API. */
export const formsOf = (bytes: number): Record<string, string> => ({
  'empty fields': '&'.repeat(bytes - 1),
  'many fields': fill(i => `${i.toString(36)}=`, bytes).replaceAll(',', '&'),
  'one long value': `a=${'%C3%B1'.repeat(Math.floor((bytes - 2) / 6))}`,
})
