const thorough = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** The accented letters of Latin languages, one by one: ten thousand texts are folded for one search. */
const accented = /[\u00c0-\u017f]/g
const plain = new Map(
  Array.from({ length: 0x180 - 0xc0 }, (_, i) => String.fromCharCode(0xc0 + i)).map(letter => [
    letter,
    thorough(letter),
  ]),
)
/** Marks that stand apart, and other scripts; halves of emoji are neither. */
const needsMore = /[\u0180-\ud7ff\ue000-\uffff]/

/** Lower case without accents: `Méndez` and `MENDEZ` are found alike. */
export const fold = (text: string): string =>
  needsMore.test(text) ? thorough(text) : text.replace(accented, letter => plain.get(letter) as string).toLowerCase()
