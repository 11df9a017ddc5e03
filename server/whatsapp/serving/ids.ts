import { randomInt, randomToken } from '#server/platform/crypto/random.ts'

/** Graph's ids are decimal, 15 to 17 digits, always text. */
export const newGraphId = (digits: 15 | 16 | 17 = 15): string => {
  let id = String(randomInt(1, 10))
  while (id.length < digits) id += String(randomInt(0, 1000)).padStart(3, '0')
  return id.slice(0, digits)
}

/** `A` and 22 characters, like the trace ids of Graph's errors. */
export const newTraceId = (): string => `A${randomToken(17).slice(0, 22)}`

const directions = { out: 0x11, in: 0x12 } as const

export type Direction = keyof typeof directions

const lengthAnd = (text: string): number[] => [0x18, text.length, ...Buffer.from(text, 'latin1')]

/** A wamid around an inner id, in the structure observed at Meta, padded. */
export const wamidOf = (customer: string, direction: Direction, inner: string): string =>
  `wamid.${Buffer.from([0x1c, ...lengthAnd(customer), 0x15, 0x02, 0x00, directions[direction], ...lengthAnd(inner), 0x00]).toString('base64')}`

/** The form of our ids: 24 letters and digits. Meta's have 18 hex digits for messages of a business. */
const ownForm = /^[0-9A-Z]{24}$/

/** The wamid that a program gets for a message of ours before Meta has given it one. It contains our id. */
export const wamidOfOurs = (id: string): string => wamidOf('', 'out', id.toUpperCase())

/** Our id in a wamid made by `wamidOfOurs`; undefined: the wamid is Meta's. */
export function idInWamid(wamid: string): string | undefined {
  const bytes = Buffer.from(wamid.replace(/^wamid\./, ''), 'base64')
  const length = bytes[2] ?? 0
  const inner = bytes.subarray(length + 9, -1).toString('latin1')
  return bytes[length + 6] === directions.out && ownForm.test(inner) ? inner.toLowerCase() : undefined
}
