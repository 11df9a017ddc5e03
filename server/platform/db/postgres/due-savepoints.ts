/** The prefix of the statement with which `inSavepoint` begins. */
const begins = 'savepoint '
const undoes = 'rollback to savepoint '
const ends = 'release savepoint '
/** Statements that end the transaction with all savepoints. */
const endsAll = ['commit', 'rollback']

/**
 * Delays the savepoint statements of a connection, each of which would be a round trip: most savepoints turn out to
 * have nothing to do. One that is directly followed by its release is never sent; others are sent with the next
 * statement.
 */
export class DueSavepoints {
  #due: string[] = []

  get #isBegun() {
    return this.#due.at(-1)?.startsWith(begins) ?? false
  }

  /** Returns true if the statement must not be sent now: it is delayed, or has nothing to do. */
  take(text: string): boolean {
    if (text.startsWith(begins)) this.#due.push(text)
    else if (text.startsWith(ends)) {
      if (this.#isBegun) this.#due.pop()
      else this.#due.push(text)
    }
    // Nothing was done since the savepoint.
    else return text.startsWith(undoes) && this.#isBegun
    return true
  }

  /** Statements to send before this one; undefined: none. */
  before(text: string): string | undefined {
    const due = this.#due
    if (!due.length) return undefined
    this.#due = []
    return endsAll.includes(text) ? undefined : due.join('; ')
  }
}
