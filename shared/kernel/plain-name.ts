const visible = /(?!\p{Default_Ignorable_Code_Point}|\u2800)[\p{L}\p{N}\p{P}\p{S}]/u
/** Control characters, and those that change text direction. */
const deceiving = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

/** True if the text has a visible character. */
export const isSeen = (text: string): boolean => visible.test(text)

/** False: nothing is visible, or it would be displayed differently from what it is. */
export const isPlainName = (name: string): boolean => visible.test(name) && !deceiving.test(name)

const latin = /\p{Script=Latin}/u
/** Scripts with letters that look like Latin ones. */
const lookalikes = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Coptic}\p{Script=Armenian}\p{Script=Cherokee}]/u

/** True if a word mixes letters of alphabets that look alike, and so imitates another word. */
export const mixesAlphabets = (name: string): boolean =>
  name.split(/[^\p{L}\p{M}]+/u).some(word => latin.test(word) && lookalikes.test(word))
