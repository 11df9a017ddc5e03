/** No text of PostgreSQL holds it. */
const nul = '\u0000'

/** Nothing in it that no database column and no JSON reader agrees on: NUL, and halves of surrogate pairs. */
export const isGoodText = (text: string): boolean => !text.includes(nul) && text.isWellFormed()

/** The same text without NUL, as both engines can hold it. */
export const withoutNul = (text: string): string => (text.includes(nul) ? text.replaceAll(nul, '') : text)

/** Text of others' as it can be kept: no NUL, and a mark in place of half a surrogate pair. */
export const goodText = (text: string): string => (isGoodText(text) ? text : withoutNul(text).toWellFormed())
