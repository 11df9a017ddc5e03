import { RE2JS, RE2Set } from 're2js'
import { flowLimits } from '#shared/flows/limits.ts'
import type { Work } from './work.ts'

/**
 * Patterns that people type, in RE2's syntax, which matches in linear time. `chars` of the pattern as typed, `size` in
 * instructions of its program, `readChars`: only this many characters of a text are examined.
 */
export const patternLimits = { chars: flowLimits.patternChars, size: 300, readChars: 1000 } as const
/** Memory for the states of one pattern; beyond it matching continues without caching states. */
const keptBytes = 64 * 1024
/** A program that is certainly too large is not compiled, because compiling it can take a tenth of a second. */
const roughSize = patternLimits.size * 3

/** Measured: compiling 50 patterns of the largest size takes 190 ms. */
const compileStepsPerInstruction = 330

export type PatternFault = 'unreadable' | 'tooLarge'

export interface Pattern {
  /** Cost of compiling, in matching instructions. */
  readonly compileSteps: number
  /** Upper limit of the cost of matching this text, in instructions. */
  steps(text: string): number
  /** True if it occurs anywhere in the examined part of the text. */
  test(text: string): boolean
}

class BadPattern extends Error {
  readonly fault: PatternFault
  constructor(fault: PatternFault) {
    super(fault)
    this.fault = fault
  }
}

const words = '\\p{L}\\p{N}_'
const blanks = '\\s\\v\\p{Z}\\x{feff}'
/** Classes that mean ASCII in RE2. Here they include letters of all scripts. */
const wide: Readonly<Record<string, string>> = {
  w: `[${words}]`,
  W: `[^${words}]`,
  s: `[${blanks}]`,
  S: `[^${blanks}]`,
}
const wideInSet: Readonly<Record<string, string>> = { w: words, s: blanks }

/**
 * The pattern in RE2's syntax: groups do not capture, classes include all scripts. Refuses what RE2 interprets
 * differently from other engines (flags, names, `\Q`, braces that are not counts).
 * @throws BadPattern
 */
const translate = (source: string): string => {
  let made = ''
  /** Approximate sizes of the open groups, outermost first, and of the last part of each. */
  const sizes = [0]
  let last = 0
  const add = (text: string, size: number) => {
    made += text
    last = size
    sizes.push((sizes.pop() as number) + size)
    if (sizes.reduce((sum, one) => sum + one, 0) > roughSize) throw new BadPattern('tooLarge')
  }
  const part =
    /\\(?:[pP](?:\{\^?\w{1,40}\}|[A-Z])|[dDwWsSbBnt]|[^A-Za-z0-9])|\(\?:|\(|\)|\[|[*+?]\??|\{\d{1,4}(?:,\d{0,4})?\}\??|[^\\{]/suy
  const inSet = /\\(?:[pP](?:\{\^?\w{1,40}\}|[A-Z])|[dDwWsSnt]|[^A-Za-z0-9])|\[:\^?[a-z]{1,10}:\]|[^\\]/suy
  const readSet = (from: number): number => {
    made += '['
    let at = from
    if (source[at] === '^') made += source[at++]
    for (let isFirst = true; ; isFirst = false) {
      inSet.lastIndex = at
      const found = inSet.exec(source)?.[0]
      if (found === undefined || (isFirst && found === ']')) throw new BadPattern('unreadable')
      at += found.length
      if (found === ']') break
      made += found.startsWith('\\') ? (wideInSet[found.slice(1)] ?? found) : found === '[' ? '\\[' : found
    }
    add(']', 1)
    return at
  }
  for (let at = 0; at < source.length; ) {
    part.lastIndex = at
    const found = part.exec(source)?.[0]
    if (found === undefined) throw new BadPattern('unreadable')
    at += found.length
    if (found === '[') at = readSet(at)
    else if (found === '(' || found === '(?:') {
      if (found === '(' && source[at] === '?') throw new BadPattern('unreadable')
      made += '(?:'
      sizes.push(0)
    } else if (found === ')') {
      const size = sizes.pop() as number
      if (!sizes.length) throw new BadPattern('unreadable')
      add(')', size)
    } else if (/^[*+?]/.test(found)) add(found, 1)
    else if (found.startsWith('{')) {
      const counts = found.match(/\d+/g) ?? []
      add(found, last * Math.max(...counts.map(Number)))
    } else add(wide[found.startsWith('\\') ? found.slice(1) : ''] ?? found, 1)
  }
  return made
}

/** Compiles a pattern; returns why not if it is invalid. */
export function compilePattern(source: string): Pattern | PatternFault {
  if (source.length > patternLimits.chars) return 'tooLarge'
  try {
    const set = new RE2Set(RE2Set.UNANCHORED, RE2JS.DOTALL, keptBytes)
    set.add(translate(source))
    set.compile()
    const size = set.prog.numInst()
    if (size > patternLimits.size) return 'tooLarge'
    return {
      compileSteps: size * compileStepsPerInstruction,
      steps: text => size * (Math.min(text.length, patternLimits.readChars) + 1),
      test: text => set.match(text.slice(0, patternLimits.readChars)).length > 0,
    }
  } catch (error) {
    if (error instanceof BadPattern) return error.fault
    // The library's message is not shown.
    return 'unreadable'
  }
}

/** Recently used patterns; each takes some hundred kilobytes at most. */
const maxCompiled = 256
const ready = new Map<string, Pattern | PatternFault>()

/** Compiles a pattern, or returns it from the cache. */
export function parsePattern(source: string): Pattern | PatternFault {
  const known = ready.get(source) ?? compilePattern(source)
  ready.delete(source)
  ready.set(source, known)
  if (ready.size > maxCompiled) ready.delete(ready.keys().next().value as string)
  return known
}

export const patternFaultOf = (source: string): PatternFault | 'fine' => {
  const pattern = parsePattern(source)
  return typeof pattern === 'string' ? pattern : 'fine'
}

/**
 * An invalid pattern never fits.
 * @throws TooMuchWork, also for a pattern beyond the current limits
 */
export const fitsPattern = (source: string, text: string, work: Work): boolean => {
  const isCompiled = ready.has(source)
  const pattern = parsePattern(source)
  if (pattern === 'unreadable') return false
  if (!isCompiled && pattern !== 'tooLarge') work.take(pattern.compileSteps)
  work.take(pattern === 'tooLarge' ? Number.POSITIVE_INFINITY : pattern.steps(text))
  return pattern !== 'tooLarge' && pattern.test(text)
}
