const visible = /(?!\p{Default_Ignorable_Code_Point}|\u2800)[\p{L}\p{N}\p{P}\p{S}]/u
/** Controls, and those that turn the direction of what is beside them. */
const deceiving = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

/** False: nothing of a text is seen. */
export const isSeen = (text: string): boolean => visible.test(text)

/** False: nothing of the name is seen, or it shows as another than it is. */
export const isPlainName = (name: string): boolean => visible.test(name) && !deceiving.test(name)

const latin = /\p{Script=Latin}/u
/** Of these, letters look like Latin ones and are others. */
const lookalikes = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Coptic}\p{Script=Armenian}\p{Script=Cherokee}]/u

/** True: a word has letters of two alphabets that look alike, so that it reads as a word that it is not. */
export const mixesAlphabets = (name: string): boolean =>
  name.split(/[^\p{L}\p{M}]+/u).some(word => latin.test(word) && lookalikes.test(word))
