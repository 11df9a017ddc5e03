import { randomBytes } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * An id that sorts by time of birth: nine characters of milliseconds, fifteen of randomness (75 bits), base 32
 * without letters that look alike.
 */
export const newId = (at: number = Date.now()): string => {
  let time = ''
  for (let rest = at, i = 0; i < 9; i += 1) {
    time = alphabet[rest % 32] + time
    rest = Math.floor(rest / 32)
  }
  let tail = ''
  for (const byte of randomBytes(15)) tail += alphabet[byte & 31]
  return time + tail
}
