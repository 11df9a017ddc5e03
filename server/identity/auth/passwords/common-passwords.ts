import { readFileSync } from 'node:fs'

/**
 * About 3,200 common passwords that are long enough to be accepted here: those of ten characters and more from the
 * lists of Django (BSD), zxcvbn and zxcvbn-ts (MIT), and the commonest words of seven to nine letters followed by
 * `123`. Lower case, one a line.
 */
const file = new URL('./common-passwords.txt', import.meta.url)

let list: ReadonlySet<string> | undefined

/** Case-insensitive. */
export const isCommonPassword = (password: string): boolean => {
  list ??= new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))
  return list.has(password.toLowerCase())
}
