import { createWork, type Work, workLimits } from '#shared/kernel/work.ts'
import { variableMaxChars } from '../variables.ts'
import { type Formula, FormulaFault, type FormulaOp, type FormulaValue, parseFormula } from './parse.ts'

/** A formula without a result: a text that is not a number, a division by zero, an invalid date. */
class NoValue extends Error {}

/** Numbers as people type them: `12,5` and `12.5`, but not `1.250,5`. */
const readNumber = (text: string): number | undefined =>
  /^\s*[+-]?\d+([.,]\d+)?\s*$/.test(text) ? Number(text.replace(',', '.')) : undefined

const asNumber = (value: FormulaValue): number => {
  const number = typeof value === 'string' ? readNumber(value) : Number(value)
  if (number === undefined) throw new NoValue()
  return number
}
const isNumber = (value: FormulaValue): boolean =>
  typeof value === 'number' || (typeof value === 'string' && readNumber(value) !== undefined)
/** Rounds away the error of binary fractions. */
const finite = (value: number): number => {
  if (!Number.isFinite(value)) throw new NoValue()
  return Number(value.toPrecision(14))
}
const textOf = (value: FormulaValue): string => {
  if (typeof value === 'boolean') return value ? 'sí' : 'no'
  if (typeof value === 'string') return value.slice(0, variableMaxChars)
  return Math.abs(value) < 1e15 ? String(Number(value.toFixed(10))) : String(value)
}
const untrue = ['', 'no', '0', 'falso', 'false']
const longestUntrue = 5
const isTrue = (value: FormulaValue, { fold }: Work): boolean => {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  const said = value.trim()
  return said.length > longestUntrue || !untrue.includes(fold(said))
}
const wholeBetween = (value: FormulaValue, least: number, most: number): number =>
  Math.min(Math.max(Math.trunc(asNumber(value)), least), most)

const dayMs = 86_400_000
const dayOf = (value: FormulaValue): number => {
  const text = textOf(value).trim()
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // JavaScript reads the thirtieth of February as a day in March.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text) throw new NoValue()
  return at
}
const showDay = (at: number): string => {
  // Dates here have four-digit years.
  if (Math.abs(at) > Date.parse('9999-12-31T00:00:00Z')) throw new NoValue()
  return new Date(at).toISOString().slice(0, 10)
}

/** Replaces every occurrence, without growing beyond the length of a variable. */
const replaced = (text: string, wanted: string, by: string): string => {
  if (!wanted) return text
  let whole = ''
  let from = 0
  for (let at = text.indexOf(wanted); at !== -1 && whole.length <= variableMaxChars; at = text.indexOf(wanted, from)) {
    whole += text.slice(from, at) + by
    from = at + wanted.length
  }
  return whole + text.slice(from)
}

type Made = (given: readonly FormulaValue[], world: { readonly today: string; readonly work: Work }) => FormulaValue
interface Known {
  readonly takes: readonly [least: number, most: number]
  readonly make: Made
}
const [one, two] = [
  [1, 1],
  [2, 2],
] as const
const first = (given: readonly FormulaValue[]): FormulaValue => given[0] ?? ''
const at = (given: readonly FormulaValue[], place: number): FormulaValue => given[place] ?? ''

const functions: Readonly<Record<string, Known>> = {
  redondear: {
    takes: [1, 2],
    make: given => {
      const places = 10 ** wholeBetween(given[1] ?? 0, 0, 10)
      const number = asNumber(first(given))
      return (Math.sign(number) * Math.round(finite(Math.abs(number) * places))) / places
    },
  },
  entero: { takes: one, make: given => Math.trunc(asNumber(first(given))) },
  abs: { takes: one, make: given => Math.abs(asNumber(first(given))) },
  min: { takes: [1, 20], make: given => Math.min(...given.map(asNumber)) },
  max: { takes: [1, 20], make: given => Math.max(...given.map(asNumber)) },
  numero: { takes: one, make: given => asNumber(first(given)) },
  texto: { takes: one, make: given => textOf(first(given)) },
  largo: { takes: one, make: given => [...textOf(first(given))].length },
  mayusculas: { takes: one, make: given => textOf(first(given)).toUpperCase() },
  minusculas: { takes: one, make: given => textOf(first(given)).toLowerCase() },
  recortar: { takes: one, make: given => textOf(first(given)).trim().replace(/\s+/g, ' ') },
  // Counts from the first character, which is 1.
  parte: {
    takes: [2, 3],
    make: given => {
      const letters = [...textOf(first(given))]
      const from = wholeBetween(at(given, 1), 1, variableMaxChars) - 1
      const count = given[2] === undefined ? letters.length : wholeBetween(given[2], 0, variableMaxChars)
      return letters.slice(from, from + count).join('')
    },
  },
  reemplazar: {
    takes: [3, 3],
    make: given => replaced(textOf(first(given)), textOf(at(given, 1)), textOf(at(given, 2))),
  },
  contiene: {
    takes: two,
    make: (given, { work: { fold } }) => fold(textOf(first(given))).includes(fold(textOf(at(given, 1)))),
  },
  empieza: {
    takes: two,
    make: (given, { work: { fold } }) => fold(textOf(first(given))).startsWith(fold(textOf(at(given, 1)))),
  },
  vacio: { takes: one, make: given => textOf(first(given)).trim() === '' },
  hoy: { takes: [0, 0], make: (_, { today }) => today },
  dias: { takes: two, make: given => Math.round((dayOf(at(given, 1)) - dayOf(first(given))) / dayMs) },
  sumar_dias: {
    takes: two,
    make: given => showDay(dayOf(first(given)) + wholeBetween(at(given, 1), -1_000_000, 1_000_000) * dayMs),
  },
}
/** English names of the functions. */
const alike = {
  round: 'redondear',
  int: 'entero',
  number: 'numero',
  text: 'texto',
  len: 'largo',
  upper: 'mayusculas',
  lower: 'minusculas',
  trim: 'recortar',
  mid: 'parte',
  replace: 'reemplazar',
  contains: 'contiene',
  starts: 'empieza',
  empty: 'vacio',
  today: 'hoy',
  days: 'dias',
  add_days: 'sumar_dias',
} as const

const knownAs = (name: string): Known | undefined => {
  const own = Object.hasOwn(alike, name) ? alike[name as keyof typeof alike] : name
  return Object.hasOwn(functions, own) ? functions[own] : undefined
}
/** `si(condición, entonces, si_no)` evaluates only the branch it needs. */
const choosers = ['si', 'if']
const arity = Object.fromEntries([
  ...Object.entries(functions).map(([name, { takes }]) => [name, takes]),
  ...Object.entries(alike).map(([name, own]) => [name, functions[own]?.takes]),
  ...choosers.map(name => [name, [2, 3]]),
]) as Readonly<Record<string, readonly [number, number]>>

/** The function names in Spanish. */
export const formulaFunctions = ['si', ...Object.keys(functions)]

/** The size of the cache of parsed formulas. */
const maxRead = 500
const read = new Map<string, Formula | FormulaFault>()

export const readFormula = (text: string): Formula | FormulaFault => {
  const known = read.get(text) ?? parseFormula(text, arity)
  read.delete(text)
  read.set(text, known)
  if (read.size > maxRead) read.delete(read.keys().next().value as string)
  return known
}

const compared = (left: FormulaValue, right: FormulaValue, { fold }: Work): number => {
  if (isNumber(left) && isNumber(right)) return asNumber(left) - asNumber(right)
  const [a, b] = [fold(textOf(left).trim()), fold(textOf(right).trim())]
  return a < b ? -1 : Number(a > b)
}

const joined = (left: FormulaValue, right: FormulaValue): string =>
  (textOf(left) + textOf(right)).slice(0, variableMaxChars)

const lengthOf = (value: FormulaValue): number => (typeof value === 'string' ? value.length : 1)

const operate = (
  op: Exclude<FormulaOp, 'and' | 'or'>,
  left: FormulaValue,
  right: FormulaValue,
  work: Work,
): FormulaValue => {
  work.read(lengthOf(left) + lengthOf(right))
  switch (op) {
    case '=':
      return compared(left, right, work) === 0
    case '!=':
      return compared(left, right, work) !== 0
    case '<':
      return compared(left, right, work) < 0
    case '<=':
      return compared(left, right, work) <= 0
    case '>':
      return compared(left, right, work) > 0
    case '>=':
      return compared(left, right, work) >= 0
    case '&':
      return joined(left, right)
    case '+':
      return isNumber(left) && isNumber(right) ? finite(asNumber(left) + asNumber(right)) : joined(left, right)
    case '-':
      return finite(asNumber(left) - asNumber(right))
    case '*':
      return finite(asNumber(left) * asNumber(right))
    case '/':
      return finite(asNumber(left) / asNumber(right))
    case '%':
      return finite(asNumber(left) % asNumber(right))
  }
}

interface Given {
  /** Undefined or empty: no value. */
  valueOf(name: string): string | undefined
  /** The organization's date, `2026-11-25`. */
  readonly today: string
  /** The work it may cost; absent: the limit of one formula. */
  readonly work?: Work | undefined
}
type World = Given & { readonly work: Work }

const evaluate = (formula: Formula, given: World): FormulaValue => {
  const { work } = given
  const partOf = (part: Formula | undefined): FormulaValue => (part ? evaluate(part, given) : '')
  switch (formula.kind) {
    case 'value':
      return formula.value
    case 'variable':
      return given.valueOf(formula.name) ?? ''
    case 'minus':
      return -asNumber(partOf(formula.of))
    case 'not':
      return !isTrue(partOf(formula.of), work)
    case 'pair': {
      const left = partOf(formula.left)
      if (formula.op === 'and') return isTrue(left, work) && isTrue(partOf(formula.right), work)
      if (formula.op === 'or') return isTrue(left, work) || isTrue(partOf(formula.right), work)
      return operate(formula.op, left, partOf(formula.right), work)
    }
    case 'call': {
      const { name } = formula
      if (choosers.includes(name)) return partOf(formula.given[isTrue(partOf(formula.given[0]), work) ? 1 : 2])
      const known = knownAs(name)
      if (!known) throw new NoValue()
      const values = formula.given.map(partOf)
      work.read(values.reduce((chars: number, value) => chars + lengthOf(value), 0))
      const made = known.make(values, given)
      return typeof made === 'string' ? made.slice(0, variableMaxChars) : made
    }
  }
}

/**
 * The result of a formula as a variable's text; undefined if it has a syntax error, uses a text as a number, or divides
 * by zero. @throws TooMuchWork
 */
export function calculate(text: string, given: Given): string | undefined {
  const formula = readFormula(text)
  if (formula instanceof FormulaFault) return undefined
  const work = given.work ?? createWork(workLimits.formula)
  try {
    return work.part(workLimits.formula, part => textOf(evaluate(formula, { ...given, work: part })))
  } catch (error) {
    if (error instanceof NoValue) return undefined
    throw error
  }
}
