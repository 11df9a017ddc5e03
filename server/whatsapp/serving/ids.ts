import { randomToken } from '#server/platform/crypto/random.ts'

/** `A` and 22 characters, like the trace ids of Graph's errors. */
export const newTraceId = (): string => `A${randomToken(17).slice(0, 22)}`

const directions = { out: 0x11, in: 0x12 } as const

export type Direction = keyof typeof directions

const lengthAnd = (text: string): number[] => [0x18, text.length, ...Buffer.from(text, 'latin1')]

/** A wamid around an inner id, in the structure observed at Meta, padded. */
export const wamidOf = (customer: string, direction: Direction, inner: string): string =>
  `wamid.${Buffer.from([0x1c, ...lengthAnd(customer), 0x15, 0x02, 0x00, directions[direction], ...lengthAnd(inner), 0x00]).toString('base64')}`
