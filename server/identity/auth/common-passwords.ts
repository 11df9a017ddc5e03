import { readFileSync } from 'node:fs'

/**
 * Some 3,200 of the passwords that are tried first and are long enough to be chosen here: what the lists of Django (BSD) and of
 * zxcvbn and zxcvbn-ts (MIT) have of ten characters and more, and the commonest words of seven to nine letters with `123`
 * behind. In lower case, one a line.
 */
const file = new URL('./common-passwords.txt', import.meta.url)

let list: ReadonlySet<string> | undefined

/** Whether a password is among the commonest, however its letters are capitalized. */
export const isCommonPassword = (password: string): boolean => {
  list ??= new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))
  return list.has(password.toLowerCase())
}
