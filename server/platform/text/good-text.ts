/** PostgreSQL cannot store it in a text. */
const nul = '\u0000'

/** True if every database and JSON reader can handle the text: it has no NUL and no half of a surrogate pair. */
export const isGoodText = (text: string): boolean => !text.includes(nul) && text.isWellFormed()

/** The text without NUL, as both engines can store it. */
export const withoutNul = (text: string): string => (text.includes(nul) ? text.replaceAll(nul, '') : text)

/** A text from outside as it can be stored: without NUL, and with U+FFFD for half a surrogate pair. */
export const goodText = (text: string): string => (isGoodText(text) ? text : withoutNul(text).toWellFormed())
