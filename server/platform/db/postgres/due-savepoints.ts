/** As `inSavepoint` says them. */
const begins = 'savepoint '
const undoes = 'rollback to savepoint '
const ends = 'release savepoint '
/** Of the transaction as a whole; no savepoint is left behind it. */
const endsAll = ['commit', 'rollback']

/**
 * Savepoints of a connection that were said and not yet sent. Each is a round trip, and most parts of a write find that
 * they have nothing to do: one that is followed by its own end is never sent, others go along with the next statement.
 */
export class DueSavepoints {
  #due: string[] = []

  get #isBegun() {
    return this.#due.at(-1)?.startsWith(begins) ?? false
  }

  /** Whether it waits for the next statement, or is done with by now. */
  take(text: string): boolean {
    if (text.startsWith(begins)) this.#due.push(text)
    else if (text.startsWith(ends)) {
      if (this.#isBegun) this.#due.pop()
      else this.#due.push(text)
    }
    // Nothing was done since.
    else return text.startsWith(undoes) && this.#isBegun
    return true
  }

  /** What has to be sent ahead of a statement; undefined: nothing. */
  before(text: string): string | undefined {
    const due = this.#due
    if (!due.length) return undefined
    this.#due = []
    return endsAll.includes(text) ? undefined : due.join('; ')
  }
}
