import { randomBytes, randomInt } from './random.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const digits = (value: number, count: number): string => {
  let text = ''
  for (let rest = value, i = 0; i < count; i += 1) {
    text = alphabet[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}

const tailLength = 12
/** Asking the system for each id costs more than the id. */
let pool = ''
let taken = 0
const nextTail = (): string => {
  if (taken + tailLength > pool.length) {
    const letters = randomBytes(tailLength * 256).map(byte => alphabet.charCodeAt(byte & 31))
    pool = Buffer.from(letters).toString('latin1')
    taken = 0
  }
  taken += tailLength
  return pool.slice(taken - tailLength, taken)
}

const counts = 32 ** 3
let lastAt = Number.NaN
let timeOfLast = ''
let count = 0

/**
 * An id that sorts by time of birth: nine characters of milliseconds, three that count within one, twelve of
 * randomness (60 bits), base 32 without letters that look alike. Those of one process that are asked for one after the
 * other sort in that order, within a millisecond too.
 */
export const newId = (at: number = Date.now()): string => {
  // Beginning somewhere in the lower quarter, so that processes beside each other mix and none soon begins again.
  count = at === lastAt ? (count + 1) % counts : randomInt(counts / 4)
  if (at !== lastAt) timeOfLast = digits(at, 9)
  lastAt = at
  return timeOfLast + digits(count, 3) + nextTail()
}
