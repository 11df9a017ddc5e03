import { RE2JS, RE2Set } from 're2js'
import { flowLimits } from '#shared/flows/limits.ts'
import type { Work } from './work.ts'

/**
 * Patterns that people type: RE2's syntax, matched in time that grows with text times pattern and no faster. `chars` of the
 * pattern as it is typed, `size` in instructions of its program, `readChars`: so much of a text is looked at, its beginning.
 */
export const patternLimits = { chars: flowLimits.patternChars, size: 300, readChars: 1000 } as const
/** Bytes that one pattern may keep of where letters lead; beyond that it is matched without keeping it. */
const keptBytes = 64 * 1024
/** A program that is certainly too large is not made at all: that alone can take a tenth of a second. */
const roughSize = patternLimits.size * 3

/** Measured: 50 patterns of the largest size take 190 ms to compile. */
const compileStepsPerInstruction = 330

export type PatternFault = 'unreadable' | 'tooLarge'

export interface Pattern {
  /** What it cost to compile, in instructions that are matched in the same time. */
  readonly compileSteps: number
  /** What a look at this text costs at most, in instructions. */
  steps(text: string): number
  /** Whether it occurs anywhere in what is looked at of the text. */
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
/** RE2 means ASCII by these; a customer's word has any letters. */
const wide: Readonly<Record<string, string>> = {
  w: `[${words}]`,
  W: `[^${words}]`,
  s: `[${blanks}]`,
  S: `[^${blanks}]`,
}
const wideInSet: Readonly<Record<string, string>> = { w: words, s: blanks }

/**
 * The pattern as RE2 is given it: groups keep nothing, letters are everybody's. Refuses what RE2 would understand otherwise
 * than other engines do (flags, names, `\Q`, braces that are no count).
 * @throws BadPattern
 */
const translate = (source: string): string => {
  let made = ''
  /** Sizes of the open groups, roughly, the outermost first; of the last part of each. */
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

/** A pattern ready to be matched, or why it is none. */
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
    // Whatever the library says of it: it is no pattern.
    return 'unreadable'
  }
}

/** Those that were asked for last; each keeps some hundred kilobytes at most. */
const mostReady = 256
const ready = new Map<string, Pattern | PatternFault>()

/** The same, compiled once. */
export function patternOf(source: string): Pattern | PatternFault {
  const known = ready.get(source) ?? compilePattern(source)
  ready.delete(source)
  ready.set(source, known)
  if (ready.size > mostReady) ready.delete(ready.keys().next().value as string)
  return known
}

export const patternFaultOf = (source: string): PatternFault | 'fine' => {
  const pattern = patternOf(source)
  return typeof pattern === 'string' ? pattern : 'fine'
}

/**
 * Whether it occurs in a text; what is no pattern occurs nowhere.
 * @throws TooMuchWork also for a pattern that is larger than any may be by now
 */
export const fitsPattern = (source: string, text: string, work: Work): boolean => {
  const isCompiled = ready.has(source)
  const pattern = patternOf(source)
  if (pattern === 'unreadable') return false
  if (!isCompiled && pattern !== 'tooLarge') work.take(pattern.compileSteps)
  work.take(pattern === 'tooLarge' ? Number.POSITIVE_INFINITY : pattern.steps(text))
  return pattern !== 'tooLarge' && pattern.test(text)
}
