/** No imported row is longer; the rest of a longer one is not held in memory. */
export const rowMaxChars = 4 * 1024 ** 2

type State = 'between' | 'bare' | 'string' | 'escape' | 'quote' | 'after' | 'ended'

const escaped: Readonly<Record<string, string>> = { 0: '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a' }
const special = /[',()]/g
const inString = /['\\]/g
const inPlainString = /'/g

const nextOf = (form: RegExp, text: string, from: number): number => {
  form.lastIndex = from
  return form.exec(text)?.index ?? -1
}

/**
 * Reads what stands behind `VALUES` of an INSERT: `(1,'a'),(2,NULL);`. The text comes in parts that can end anywhere.
 * `hasEscapes`: a backslash in a string escapes, as in MySQL; in PostgreSQL it does only in `E'…'`.
 */
export class ValuesReader {
  readonly #hasEscapes: boolean
  #state: State = 'between'
  #cells: (string | null)[] = []
  #value = ''
  #isText = false
  #escapes = false
  #chars = 0
  /** Lines of the text read so far. */
  lines = 0

  constructor(hasEscapes: boolean) {
    this.#hasEscapes = hasEscapes
  }

  get isEnded(): boolean {
    return this.#state === 'ended'
  }

  /** False: the statement breaks off within a row. */
  get isBetweenRows(): boolean {
    return this.#state === 'between' || this.#state === 'ended'
  }

  /** Reads to the end of a row, of the statement or of the text. Returns where it stopped, and the row. */
  read(text: string, from: number): { at: number; cells?: (string | null)[]; isTooLong?: boolean } {
    let at = from
    while (at < text.length && this.#state !== 'ended') {
      switch (this.#state) {
        case 'between': {
          const char = text[at]
          at += 1
          if (char === '(') this.#begin()
          else if (char === ';') this.#state = 'ended'
          else if (char === '\n') this.lines += 1
          break
        }
        case 'bare':
        case 'after': {
          const stop = nextOf(special, text, at)
          const end = stop === -1 ? text.length : stop
          if (this.#state === 'bare') this.#add(text.slice(at, end))
          if (stop === -1) return { at: end }
          at = stop + 1
          const char = text[stop]
          if (char === "'") this.#open()
          else if (char === ',') this.#push()
          else if (char === ')') {
            this.#push()
            this.#state = 'between'
            const isTooLong = this.#chars > rowMaxChars
            return { at, cells: this.#cells, ...(isTooLong ? { isTooLong } : {}) }
          }
          break
        }
        case 'string': {
          const stop = nextOf(this.#escapes ? inString : inPlainString, text, at)
          this.#add(text.slice(at, stop === -1 ? text.length : stop))
          if (stop === -1) return { at: text.length }
          this.#state = text[stop] === "'" ? 'quote' : 'escape'
          at = stop + 1
          break
        }
        case 'escape':
          this.#add(escaped[text[at] as string] ?? (text[at] as string))
          this.#state = 'string'
          at += 1
          break
        case 'quote':
          if (text[at] === "'") {
            this.#add("'")
            this.#state = 'string'
            at += 1
          } else this.#state = 'after'
          break
      }
    }
    return { at }
  }

  #begin() {
    this.#cells = []
    this.#chars = 0
    this.#clear('bare')
  }

  #clear(state: State) {
    this.#value = ''
    this.#isText = false
    this.#state = state
  }

  /** Reads the prefix of a string, which says how it is written: `E'…'`, `_binary '…'`. */
  #open() {
    this.#escapes = this.#hasEscapes || /^e$/i.test(this.#value.trim())
    this.#clear('string')
    this.#isText = true
  }

  #add(part: string) {
    this.#chars += part.length
    if (this.#chars <= rowMaxChars) this.#value += part
  }

  #push() {
    this.#chars += 1
    if (this.#chars > rowMaxChars) return this.#clear('bare')
    const bare = this.#value.trim()
    this.#cells.push(this.#isText ? this.#value : /^null$/i.test(bare) ? null : bare)
    this.#clear('bare')
  }
}
