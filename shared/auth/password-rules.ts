/** Characters of a username: letters without accents, digits, and `.` `_` `-` inside. Capitals count as small letters. */
export const usernameMin = 3
export const usernameMax = 30
export const usernamePattern = '^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$'

const usernameForm = new RegExp(usernamePattern)

export const isUsername = (text: string): boolean =>
  text.length >= usernameMin && text.length <= usernameMax && usernameForm.test(text)

/** In UTF-16 units. */
export const passwordMin = 10
/** The longest that better-auth takes. */
export const passwordMax = 128

/** Words that passwords are made of before anything else is tried; longer ones cover what begins with them. */
const commonWords = [
  'password',
  'passw0rd',
  'contrasena',
  'contrasenia',
  'clave',
  'secret',
  'secreto',
  'whatsapp',
  'recado',
  'admin',
  'administrador',
  'administrator',
  'welcome',
  'bienvenido',
  'iloveyou',
  'teamo',
  'teamomucho',
  'qwerty',
  'letmein',
  'football',
  'futbol',
  'baseball',
  'princess',
  'princesa',
  'superman',
  'dragon',
  'monkey',
  'sunshine',
  'argentina',
  'boca',
  'river',
  'empresa',
  'usuario',
  'hola',
  'login',
  'changeme',
  'trustno',
  'michael',
  'jordan',
]

const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiopasdfghjklzxcvbnm', '1qaz2wsx3edc4rfv5tgb6yhn7ujm']
const runs = rows.flatMap(row => [row, [...row].reverse().join('')])
/** Shorter stretches of a keyboard stand in good passwords, too. */
const runLength = 4
const distinctMin = 5
/** What is left of a password without what anybody tries first has to have so many characters. */
const ownMin = 6

const withoutAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Cuts stretches of four and more that follow the alphabet, the digits or a keyboard. */
const withoutRuns = (text: string): string => {
  let kept = ''
  for (let at = 0; at < text.length; ) {
    let length = 0
    for (const run of runs) {
      let end = at + runLength
      while (end <= text.length && run.includes(text.slice(at, end))) end += 1
      length = Math.max(length, end - 1 - at)
    }
    if (length >= runLength) at += length
    else {
      kept += text[at]
      at += 1
    }
  }
  return kept
}

/** Whether it is one piece said again and again. */
const isRepeated = (text: string): boolean => /^(.{1,8})\1+.{0,3}$/su.test(text)

export type PasswordFault = 'short' | 'long' | 'guessable'

/**
 * What is wrong with a password, by rules that need no list and no network: too short, too long, or made of what is
 * tried first: few different characters, repetition, stretches of a keyboard, common words, or what everybody knows of
 * its person (`known`: name, address, username).
 */
export const passwordFault = (password: string, known: readonly string[] = []): PasswordFault | undefined => {
  if (password.length < passwordMin) return 'short'
  if (password.length > passwordMax) return 'long'
  const plain = withoutAccents(password)
  if (new Set(plain).size < distinctMin || isRepeated(plain)) return 'guessable'
  const words = known.flatMap(text => withoutAccents(text).split(/[^a-z0-9]+/)).filter(word => word.length >= runLength)
  let rest = withoutRuns(plain)
  for (const word of [...words, ...commonWords].sort((a, b) => b.length - a.length)) rest = rest.replaceAll(word, '')
  return rest.length < ownMin ? 'guessable' : undefined
}
