import { type Databases, inTransaction } from './db.ts'
import { engineOf } from './engine-of.ts'
import { runInThread } from './sqlite/thread.ts'
import { wordIndexOf } from './word-index.ts'

const pages = 64
/** After this time the caller checks whether to continue. */
const forMs = 500

/**
 * Rewrites the word indexes some pages at a time, because deleted terms remain in older segments until these are
 * merged. True: there may be more. The entries of one word are merged at once, which takes a tenth of a second for a
 * frequent one, so it runs on another thread. PostgreSQL maintains its index by itself.
 */
export async function purgeWords(databases: Databases, isFirst: boolean): Promise<boolean> {
  if (engineOf(databases.read) !== 'sqlite') return false
  // A negative number starts a merge of all segments into one, which the next calls continue.
  const first = isFirst ? -pages : pages
  return (
    runInThread(databases, { what: 'mergeWords', first, pages, forMs }) ??
    inTransaction(databases, async trx => {
      const { merge, mergeContacts } = wordIndexOf(trx)
      const mayBeMore = [await merge(trx, first), await mergeContacts(trx, first)]
      return mayBeMore.includes(true)
    })
  )
}
