import { DumpRow } from './row.ts'
import { rowMaxChars, ValuesReader } from './values.ts'

/** A row that cannot be read, and where it stands. */
export interface OddRow {
  readonly table: string
  readonly line: number
  readonly why: 'tooLong' | 'record'
  readonly text: string
}

interface Block {
  readonly table: string
  readonly line: number
  readonly columns: ReadonlyMap<string, number>
  readonly isWanted: boolean
}

/** The longest text outside of rows. The longest known is an INSERT's list of columns. */
const headMaxChars = 64 * 1024
/** Each line of it is looked through again with those before it. */
const headMaxLines = 200
/** Bounds memory: no real database has this many tables. */
const tablesAtMost = 20_000
const columnsAtMost = 5_000
const shownChars = 80

const name = '(?:[`"]([^`"]+)[`"]|([\\w$]+))'
const copyHead = new RegExp(`^COPY (?:${name}\\.)?${name} \\(([^)]*)\\) FROM stdin;`, 'i')
const insertHead = new RegExp(
  `^INSERT\\s+(?:IGNORE\\s+)?INTO\\s+(?:${name}\\.)?${name}\\s*(?:\\(([^)]*)\\)\\s*)?(?:OVERRIDING \\w+ VALUE\\s*)?VALUES`,
  'i',
)
const createHead = new RegExp(`^CREATE TABLE (?:IF NOT EXISTS )?(?:${name}\\.)?${name} \\(`, 'i')
const columnForm = new RegExp(`^\\s*${name}\\s`)
const noColumn = /^\s*(?:CONSTRAINT|PRIMARY|UNIQUE|KEY|FOREIGN|CHECK|EXCLUDE|INDEX|FULLTEXT|LIKE)\b/i
const fromMySql = /^(?:-- (?:MySQL|MariaDB) dump|-- phpMyAdmin|\/\*!4|\/\*M?!)/
const fromPostgres = /^-- PostgreSQL database (?:cluster )?dump$/
const isWholeLine = /^-- (?:PostgreSQL database (?:cluster )?dump complete|Dump completed)/

const columnsOf = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(
    names.map((one, place) => [
      one
        .trim()
        .replace(/^[`"]|[`"]$/g, '')
        .toLowerCase(),
      place,
    ]),
  )

/**
 * Reads the rows of some tables out of a dump in plain form: blocks of COPY from pg_dump, and INSERT statements of MySQL,
 * MariaDB and pg_dump. The text comes in parts; one row is held in memory.
 */
export class DumpReader {
  readonly #wanted: ReadonlySet<string>
  #state: 'none' | 'copy' | 'create' | 'head' | 'insert' = 'none'
  #rest = ''
  #isCut = false
  #line = 1
  #block: Block | undefined
  #values: ValuesReader | undefined
  #headLines = 0
  #isMySql = false
  #hasTrailer = false
  #hasHeader = false
  #created: string[] = []
  #createdTable = ''
  /** The columns from CREATE TABLE, for an INSERT that names none. */
  readonly #known = new Map<string, ReadonlyMap<string, number>>()
  readonly #copied = new Set<string>()
  /** Tables that the dump has, with their columns. */
  readonly tables = new Map<string, ReadonlyMap<string, number>>()

  /** @param tables by name, in lower case */
  constructor(tables: ReadonlySet<string>) {
    this.#wanted = tables
  }

  /** All tables were read: pg_dump writes each of them once. */
  get isDone(): boolean {
    return this.#copied.size === this.#wanted.size
  }

  /** True if the text ends within the dump, so that the rest is missing. */
  get isCutOff(): boolean {
    if (this.#state === 'copy' || this.#state === 'create' || this.#state === 'head') return true
    return this.#state === 'insert' || (this.#hasHeader && !this.#hasTrailer && !isWholeLine.test(this.#rest))
  }

  *feed(text: string): Generator<DumpRow | OddRow> {
    let at = 0
    while (at < text.length) {
      if (this.#state === 'insert') {
        const row = this.#readValues(text, at)
        at = row.at
        if (row.found) yield row.found
        continue
      }
      const end = text.indexOf('\n', at)
      if (this.#state === 'none' || this.#state === 'head') {
        const begun = this.#beginInsert(text, at, end)
        if (begun !== undefined) {
          at = begun
          continue
        }
      }
      const part = text.slice(at, end === -1 ? text.length : end)
      at = end === -1 ? text.length : end + 1
      if (end === -1) this.#hold(part)
      else {
        const found = this.#takeLine(this.#rest ? this.#rest + part : part)
        if (found) yield found
        this.#line += 1
      }
    }
  }

  /** The part of a line that came so far, within bounds. */
  #hold(part: string) {
    const most = this.#state === 'copy' ? (this.#block?.isWanted ? rowMaxChars : 2) : headMaxChars
    if (this.#rest.length + part.length > most) this.#isCut = true
    if (this.#rest.length < most) this.#rest += part.slice(0, most - this.#rest.length)
  }

  #takeLine(raw: string): DumpRow | OddRow | undefined {
    const isCut = this.#isCut || raw.length > rowMaxChars
    this.#rest = ''
    this.#isCut = false
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    if (this.#state === 'copy') return this.#takeCopied(text, isCut)
    if (this.#state === 'create') this.#takeColumn(text)
    else if (this.#state === 'head' || /^INSERT\s/i.test(text)) this.#holdHead(`${text}\n`)
    else this.#takeStatement(text)
    return undefined
  }

  #holdHead(text: string) {
    // `INSERT … SELECT`, or a line of a function.
    this.#headLines = this.#state === 'head' ? this.#headLines + 1 : 1
    const isOver = text.length > headMaxChars || this.#headLines > headMaxLines || text.includes(';')
    this.#state = isOver ? 'none' : 'head'
    if (!isOver) this.#rest = text
  }

  #takeStatement(text: string) {
    if (isWholeLine.test(text)) this.#hasTrailer = true
    if (fromPostgres.test(text) || /^-- (?:MySQL|MariaDB) dump/.test(text)) this.#hasHeader = true
    if (fromMySql.test(text)) this.#isMySql = true
    const copy = copyHead.exec(text)
    if (copy) {
      const table = (copy[3] ?? copy[4] ?? '').toLowerCase()
      const columns = columnsOf((copy[5] ?? '').split(','))
      this.#addTable(table, columns)
      this.#block = { table, columns, line: this.#line, isWanted: this.#wanted.has(table) }
      this.#state = 'copy'
      return
    }
    const create = createHead.exec(text)
    if (!create) return
    this.#createdTable = (create[3] ?? create[4] ?? '').toLowerCase()
    this.#created = []
    this.#state = 'create'
  }

  #addTable(table: string, columns: ReadonlyMap<string, number>) {
    if (this.tables.size < tablesAtMost) this.tables.set(table, columns)
  }

  #takeColumn(text: string) {
    if (/^\s*\)/.test(text)) {
      const columns = columnsOf(this.#created)
      if (this.#known.size < tablesAtMost) this.#known.set(this.#createdTable, columns)
      this.#state = 'none'
      return
    }
    const column = noColumn.test(text) ? null : columnForm.exec(text)
    if (column && this.#created.length < columnsAtMost) this.#created.push(column[1] ?? column[2] ?? '')
  }

  #takeCopied(text: string, isCut: boolean): DumpRow | OddRow | undefined {
    const { table, columns, isWanted } = this.#block as Block
    if (text === '\\.' && !isCut) {
      if (isWanted) this.#copied.add(table)
      this.#state = 'none'
      return undefined
    }
    if (!isWanted) return undefined
    const odd = (why: OddRow['why']) => ({ table, line: this.#line, why, text: text.slice(0, shownChars) })
    if (isCut) return odd('tooLong')
    const cells = text.split('\t', columns.size + 1)
    if (cells.length !== columns.size) return odd('record')
    return new DumpRow({ table, line: this.#line, columns }, cells, true)
  }

  /**
   * The position at which the rows of an INSERT begin. Undefined: none begins in this line. @param end of the line; -1:
   * it continues
   */
  #beginInsert(text: string, at: number, end: number): number | undefined {
    const before = this.#rest
    if (this.#state === 'none' && !/^INSERT\s/i.test(before ? before + text.slice(at, at + 8) : text.slice(at, at + 8)))
      return undefined
    const most = at + headMaxChars
    const head = before + text.slice(at, end === -1 ? most : Math.min(end, most))
    const match = insertHead.exec(head)
    if (!match || match[0].length < before.length) return undefined
    const table = (match[3] ?? match[4] ?? '').toLowerCase()
    const columns = match[5] === undefined ? this.#known.get(table) : columnsOf(match[5].split(','))
    if (columns) this.#addTable(table, columns)
    const isWanted = columns !== undefined && this.#wanted.has(table)
    this.#block = { table, line: this.#line, columns: columns ?? new Map(), isWanted }
    this.#values = new ValuesReader(this.#isMySql || /INTO\s+`/i.test(match[0]))
    this.#rest = ''
    this.#state = 'insert'
    return at + match[0].length - before.length
  }

  #readValues(text: string, from: number): { at: number; found?: DumpRow | OddRow } {
    const values = this.#values as ValuesReader
    const { at, cells, isTooLong } = values.read(text, from)
    if (values.isEnded) {
      this.#line += values.lines
      this.#state = 'none'
    }
    const { table, columns, isWanted, line } = this.#block as Block
    if (!cells || !isWanted) return { at }
    const place = { table, line: line + values.lines }
    const odd = (why: OddRow['why']) => ({
      ...place,
      why,
      text: cells.slice(0, shownChars).join(',').slice(0, shownChars),
    })
    if (isTooLong) return { at, found: odd('tooLong') }
    if (cells.length !== columns.size) return { at, found: odd('record') }
    return { at, found: new DumpRow({ ...place, columns }, cells, false) }
  }
}
