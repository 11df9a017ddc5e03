const accented = 'áàâãäåéèêëíìîïóòôõöúùûüýñç'
const plain = 'aaaaaaeeeeiiiiooooouuuuync'

/** A name folded for sorting and search: lower case, without accents. */
export const foldedName = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^ -~]/g, letter => plain[accented.indexOf(letter)] ?? letter)
