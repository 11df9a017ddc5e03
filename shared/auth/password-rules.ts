/** A username has letters without accents, digits, and `.` `_` `-` inside. Case-insensitive. */
export const usernameMin = 3
export const usernameMax = 30
export const usernamePattern = '^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$'

const usernameForm = new RegExp(usernamePattern)

export const isUsername = (text: string): boolean =>
  text.length >= usernameMin && text.length <= usernameMax && usernameForm.test(text)

/** The minimum length in UTF-16 units. */
export const passwordMin = 10
/** better-auth's limit. */
export const passwordMax = 128

/** Words that are tried first when guessing. Each also covers longer words that begin with it. */
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
/** Shorter keyboard sequences also occur in good passwords. */
const runLength = 4
const distinctMin = 5
/** A password without its guessable parts must still have this many characters. */
const ownMin = 6

const withoutAccents = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Removes sequences of four or more along the alphabet, the digits or a keyboard row. */
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

/** True if the text is a short piece that is repeated, such as `abcabcab`. */
const isRepeated = (text: string): boolean => /^(.{1,8})\1+.{0,3}$/su.test(text)

type PasswordFault = 'short' | 'long' | 'guessable'

/**
 * Returns the fault of a password, by rules without list or network: too short, too long, or guessable: few different
 * characters, repetition, keyboard sequences, common words, or public facts about the person (`known`: name, address,
 * username).
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
