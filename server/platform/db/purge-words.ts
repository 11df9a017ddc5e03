import { type Databases, inTransaction } from './db.ts'
import { engineOf } from './engine-of.ts'
import { workBeside } from './sqlite/beside.ts'
import { wordIndexOf } from './word-index.ts'

const pages = 64
/** Then whoever asked looks whether it is to go on. */
const forMs = 500

/**
 * Writes the indexes of words anew, some pages at a time: what was deleted stands in their older parts until they are merged.
 * True: there may be more. What stands under one word is merged at once, and one that many messages have takes a tenth
 * of a second, so that it is done beside the event loop. PostgreSQL's index merges beside its writers.
 */
export async function purgeWords(databases: Databases, isFirst: boolean): Promise<boolean> {
  if (engineOf(databases.read) !== 'sqlite') return false
  // A number below nothing asks the engine to take all parts into one, which the others go on with.
  const first = isFirst ? -pages : pages
  return (
    workBeside(databases, { what: 'mergeWords', first, pages, forMs }) ??
    inTransaction(databases, async trx => {
      const { merge, mergeContacts } = wordIndexOf(trx)
      const mayBeMore = [await merge(trx, first), await mergeContacts(trx, first)]
      return mayBeMore.includes(true)
    })
  )
}
