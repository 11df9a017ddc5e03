/**
 * The formula language: numbers, quoted texts, variables by name, arithmetic, comparison, and the functions of
 * `formula.ts`. Nothing is executed as JavaScript. Parsed in one pass over at most `formulaMaxChars`.
 */
export const formulaMaxChars = 500
/** The maximum nesting. */
const maxInside = 25

export type FormulaValue = number | string | boolean

export type Formula =
  | { readonly kind: 'value'; readonly value: FormulaValue }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'not' | 'minus'; readonly of: Formula }
  | { readonly kind: 'pair'; readonly op: FormulaOp; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'call'; readonly name: string; readonly given: readonly Formula[] }

/** Weakest binding first; operators of one group are evaluated from left to right. */
const opsByLooseness = [['or'], ['and'], ['=', '!=', '<', '<=', '>', '>='], ['&'], ['+', '-'], ['*', '/', '%']] as const
export type FormulaOp = (typeof opsByLooseness)[number][number]

/** A syntax error. `at`: the character, from 1. */
export class FormulaFault {
  readonly at: number
  constructor(at: number) {
    this.at = at
  }
}

type Token =
  | { readonly kind: 'number' | 'text' | 'word' | 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'end'; readonly text: ''; readonly at: number }

const spelled: Readonly<Record<string, string>> = {
  '==': '=',
  '<>': '!=',
  '&&': 'and',
  '||': 'or',
  '!': 'not',
  y: 'and',
  o: 'or',
  no: 'not',
}
const literals: Readonly<Record<string, boolean>> = { verdadero: true, true: true, falso: false, false: false }
const token =
  /\s*(?:(?<number>\d+(?:\.\d+)?)|"(?<double>[^"]*)"|'(?<single>[^']*)'|\{\{\s*(?<braced>[a-z][a-z0-9_.]*)\s*\}\}|(?<word>[\p{L}_][\p{L}\d_.]*)|(?<sign>==|!=|<>|<=|>=|&&|\|\||[-+*/%&<>=!(),;]))/uy

const tokensOf = (text: string): Token[] | FormulaFault => {
  const tokens: Token[] = []
  token.lastIndex = 0
  for (let at = 0; text.slice(at).trim(); ) {
    token.lastIndex = at
    const found = token.exec(text)
    if (!found?.groups) return new FormulaFault(at + 1 + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0))
    const { number, double, single, braced, word, sign } = found.groups
    const begins = at + found[0].length - found[0].trimStart().length + 1
    const said = double ?? single
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at: begins })
    else if (said !== undefined) tokens.push({ kind: 'text', text: said, at: begins })
    else if (braced !== undefined) tokens.push({ kind: 'word', text: braced, at: begins })
    else if (word !== undefined) {
      const small = word.toLowerCase()
      const isOp = small === 'and' || small === 'or' || small === 'not'
      if (isOp || Object.hasOwn(spelled, small))
        tokens.push({ kind: 'sign', text: spelled[small] ?? small, at: begins })
      else tokens.push({ kind: 'word', text: word, at: begins })
    } else tokens.push({ kind: 'sign', text: spelled[sign as string] ?? (sign as string), at: begins })
    at = token.lastIndex
  }
  return [...tokens, { kind: 'end', text: '', at: text.length + 1 }]
}

/** A parsed formula, or its syntax error. `arity`: the least and most arguments of each function. */
export function parseFormula(
  text: string,
  arity: Readonly<Record<string, readonly [least: number, most: number]>>,
): Formula | FormulaFault {
  if (text.length > formulaMaxChars) return new FormulaFault(formulaMaxChars + 1)
  const tokens = tokensOf(text)
  if (tokens instanceof FormulaFault) return tokens
  let next = 0
  let depth = 0
  const peek = () => tokens[next] as Token
  const takeSign = (...signs: readonly string[]): string | undefined => {
    const { kind, text } = peek()
    if (kind !== 'sign' || !signs.includes(text)) return undefined
    next += 1
    return text
  }
  const fail = (): never => {
    throw new FormulaFault(peek().at)
  }
  const closed = (): void => void (takeSign(')') ?? fail())

  const single = (): Formula => {
    const { kind, text } = peek()
    if (kind === 'end') return fail()
    if (kind === 'sign') {
      if (takeSign('-')) return { kind: 'minus', of: inside(single) }
      if (takeSign('not')) return { kind: 'not', of: inside(single) }
      if (!takeSign('(')) return fail()
      const whole = inside(() => level(0))
      closed()
      return whole
    }
    if (kind === 'word' && tokens[next + 1]?.text === '(' && tokens[next + 1]?.kind === 'sign') return call(text)
    next += 1
    if (kind === 'number') return { kind: 'value', value: Number(text) }
    if (kind === 'text') return { kind: 'value', value: text }
    const literal = Object.hasOwn(literals, text.toLowerCase()) ? literals[text.toLowerCase()] : undefined
    return literal === undefined ? { kind: 'variable', name: text } : { kind: 'value', value: literal }
  }
  const call = (written: string): Formula => {
    const name = written.toLowerCase()
    const takes = Object.hasOwn(arity, name) ? arity[name] : undefined
    if (!takes) return fail()
    next += 2
    const given: Formula[] = []
    if (!takeSign(')')) {
      do given.push(inside(() => level(0)))
      while (takeSign(',', ';'))
      closed()
    }
    if (given.length < takes[0] || given.length > takes[1]) {
      next -= 1
      return fail()
    }
    return { kind: 'call', name, given }
  }
  const level = (at: number): Formula => {
    const ops = opsByLooseness[at]
    if (!ops) return single()
    let left = level(at + 1)
    for (let op = takeSign(...ops); op; op = takeSign(...ops))
      left = { kind: 'pair', op: op as FormulaOp, left, right: level(at + 1) }
    return left
  }
  const inside = (part: () => Formula): Formula => {
    depth += 1
    if (depth > maxInside) fail()
    const whole = part()
    depth -= 1
    return whole
  }

  try {
    const whole = level(0)
    return peek().kind === 'end' ? whole : new FormulaFault(peek().at)
  } catch (error) {
    if (error instanceof FormulaFault) return error
    throw error
  }
}

/** The variables a formula uses, in order. */
export function formulaVariables(formula: Formula): string[] {
  switch (formula.kind) {
    case 'value':
      return []
    case 'variable':
      return [formula.name]
    case 'not':
    case 'minus':
      return formulaVariables(formula.of)
    case 'pair':
      return [...formulaVariables(formula.left), ...formulaVariables(formula.right)]
    case 'call':
      return formula.given.flatMap(formulaVariables)
  }
}
