const accented = 'áàâãäåéèêëíìîïóòôõöúùûüýñç'
const plain = 'aaaaaaeeeeiiiiooooouuuuync'

/** A name, or a part of one, as the database keeps it for lists: in small letters, without accents. */
export const foldedName = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^ -~]/g, letter => plain[accented.indexOf(letter)] ?? letter)
