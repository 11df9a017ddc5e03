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

/** The first characters of an id, which hold its time. */
export const idTimeLength = 9
const tailLength = 12
/** Random bytes are fetched in bulk: a system call for each id would cost more than the id. */
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
 * An id that sorts by time: nine characters of milliseconds, three of a counter within the millisecond, and twelve of
 * randomness (60 bits), in base 32 without letters that look alike. Ids of one process sort in the order in which they
 * were made.
 */
export const newId = (at: number = Date.now()): string => {
  // Starts in the lower quarter, so that ids of several processes mix and the counter rarely overflows.
  count = at === lastAt ? (count + 1) % counts : randomInt(counts / 4)
  if (at !== lastAt) timeOfLast = digits(at, idTimeLength)
  lastAt = at
  return timeOfLast + digits(count, 3) + nextTail()
}
