/**
 * Patterns that people type, matched in time that grows with text times pattern and no faster: a set of places is moved
 * along the text (Thompson's way), nothing is ever tried again, and where a letter leads is kept. Letters, `.`, `[a-z]`, `\d \w \s`, groups, `|`,
 * `* + ? {m,n}`, `^` and `$`; neither references back nor looking around.
 */
export interface LinearPattern {
  /** Whether it occurs anywhere in the text. */
  test(text: string): boolean
}

type Accepts = (letter: string) => boolean
type Part =
  | { kind: 'letter'; accepts: Accepts }
  | { kind: 'begin' | 'end' | 'empty' }
  | { kind: 'all' | 'any'; parts: Part[] }
  | { kind: 'repeat'; part: Part; least: number; most: number }

const mostPlaces = 2000
const mostRepeats = 100
const mostDepth = 30

class BadPattern extends Error {}

const isDigit: Accepts = letter => letter >= '0' && letter <= '9'
const isWord: Accepts = letter => letter === '_' || /[\p{L}\p{N}]/u.test(letter)
const isSpace: Accepts = letter => /\s/.test(letter)
const classes: Record<string, Accepts> = {
  d: isDigit,
  D: letter => !isDigit(letter),
  w: isWord,
  W: letter => !isWord(letter),
  s: isSpace,
  S: letter => !isSpace(letter),
}

const read = (source: string): Part => {
  const letters = [...source]
  let at = 0
  let depth = 0
  const bad = () => new BadPattern(source)

  const escaped = (): Accepts => {
    const letter = letters[at++]
    if (letter === undefined) throw bad()
    const named = classes[letter]
    if (named) return named
    // A letter or digit behind a backslash means something elsewhere that is not to be had here.
    if (/[A-Za-z0-9]/.test(letter)) throw bad()
    return other => other === letter
  }

  const set = (): Accepts => {
    const isNot = letters[at] === '^'
    if (isNot) at += 1
    const members: Accepts[] = []
    while (letters[at] !== ']') {
      const letter = letters[at++]
      if (letter === undefined) throw bad()
      if (letter === '\\') {
        members.push(escaped())
        continue
      }
      const last = letters[at] === '-' && letters[at + 1] !== ']' ? letters[at + 1] : undefined
      if (last === undefined) members.push(other => other === letter)
      else {
        at += 2
        if (last < letter || last === '\\') throw bad()
        members.push(other => other >= letter && other <= last)
      }
    }
    at += 1
    if (!members.length) throw bad()
    return letter => members.some(accepts => accepts(letter)) !== isNot
  }

  const atom = (): Part => {
    const letter = letters[at++]
    if (letter === '(') {
      if (letters[at] === '?') {
        if (letters[at + 1] !== ':') throw bad()
        at += 2
      }
      depth += 1
      if (depth > mostDepth) throw bad()
      const part = choice()
      if (letters[at++] !== ')') throw bad()
      depth -= 1
      return part
    }
    if (letter === '[') return { kind: 'letter', accepts: set() }
    if (letter === '.') return { kind: 'letter', accepts: () => true }
    if (letter === '^') return { kind: 'begin' }
    if (letter === '$') return { kind: 'end' }
    if (letter === '\\') return { kind: 'letter', accepts: escaped() }
    if (letter === undefined || '*+?{'.includes(letter)) throw bad()
    return { kind: 'letter', accepts: other => other === letter }
  }

  const times = (): [number, number] | undefined => {
    const mark = letters[at]
    const simple = mark === undefined ? undefined : ({ '*': [0, -1], '+': [1, -1], '?': [0, 1] } as const)[mark as '*']
    if (simple) {
      at += 1
      return [...simple]
    }
    if (mark !== '{') return undefined
    const found = /^\{(\d{1,3})(,(\d{0,3}))?\}/.exec(letters.slice(at, at + 9).join(''))
    if (!found) throw bad()
    at += found[0].length
    const least = Number(found[1])
    const most = found[2] ? (found[3] ? Number(found[3]) : -1) : least
    if (least > mostRepeats || most > mostRepeats || (most >= 0 && most < least)) throw bad()
    return [least, most]
  }

  const sequence = (): Part => {
    const parts: Part[] = []
    while (at < letters.length && letters[at] !== '|' && letters[at] !== ')') {
      let part = atom()
      for (let range = times(); range; range = times()) {
        part = { kind: 'repeat', part, least: range[0], most: range[1] }
        if (letters[at] === '?') at += 1
      }
      parts.push(part)
    }
    return { kind: 'all', parts }
  }

  const choice = (): Part => {
    const parts = [sequence()]
    while (letters[at] === '|') {
      at += 1
      parts.push(sequence())
    }
    return parts.length === 1 ? (parts[0] as Part) : { kind: 'any', parts }
  }

  const part = choice()
  if (at < letters.length) throw bad()
  return part
}

interface PatternPlace {
  readonly kind: 'letter' | 'split' | 'begin' | 'end' | 'match'
  readonly accepts?: Accepts
  next: number[]
}

/** The places of a pattern, made from behind: each part is given where it goes on. */
const placesOf = (root: Part): { places: PatternPlace[]; first: number } => {
  const places: PatternPlace[] = [{ kind: 'match', next: [] }]
  const add = (place: PatternPlace): number => {
    if (places.length >= mostPlaces) throw new BadPattern()
    return places.push(place) - 1
  }
  const make = (part: Part, next: number): number => {
    switch (part.kind) {
      case 'letter':
        return add({ kind: 'letter', accepts: part.accepts, next: [next] })
      case 'begin':
      case 'end':
        return add({ kind: part.kind, next: [next] })
      case 'empty':
        return next
      case 'all':
        return part.parts.reduceRight((after, one) => make(one, after), next)
      case 'any':
        return add({ kind: 'split', next: part.parts.map(one => make(one, next)) })
      case 'repeat': {
        let after = next
        if (part.most < 0) {
          after = add({ kind: 'split', next: [next] })
          ;(places[after] as PatternPlace).next.push(make(part.part, after))
        } else
          for (let i = part.least; i < part.most; i += 1)
            after = add({ kind: 'split', next: [next, make(part.part, after)] })
        for (let i = 0; i < part.least; i += 1) after = make(part.part, after)
        return after
      }
    }
  }
  return { first: make(root, 0), places }
}

/** Where a text can stand after some letters; what a letter leads to is found out once. */
interface State {
  readonly letters: readonly PatternPlace[]
  /** Before the first letter. */
  readonly isFirst: boolean
  readonly after: Map<string, State | 'match'>
}
/** So many are kept of a pattern, about, until it begins anew. */
const mostMoves = 300

/** Many patterns are asked of one text. */
let known = { text: '', letters: [] as readonly string[] }
const lettersOf = (text: string): readonly string[] => {
  if (known.text !== text) known = { text, letters: [...text] }
  return known.letters
}

/** A pattern ready to be matched; undefined: it is none, or too large. */
export function compilePattern(source: string): LinearPattern | undefined {
  let made: ReturnType<typeof placesOf>
  try {
    made = placesOf(read(source))
  } catch (error) {
    if (error instanceof BadPattern) return undefined
    throw error
  }
  const { places, first } = made
  // Where it may begin inside a text: most letters of most texts begin nothing.
  const beginnings: PatternPlace[] = []
  const seen = new Set<number>()
  for (const open = [first]; open.length; ) {
    const index = open.pop() as number
    if (seen.has(index)) continue
    seen.add(index)
    const place = places[index] as PatternPlace
    if (place.kind === 'split') open.push(...place.next)
    else if (place.kind === 'letter') beginnings.push(place)
  }
  /** Everything that is reached from a place without a letter; undefined: the pattern is through. */
  const enter = (into: Set<number>, from: number, isBegin: boolean, isEnd: boolean): undefined | true => {
    const open = [from]
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (into.has(index)) continue
      into.add(index)
      const place = places[index] as PatternPlace
      if (place.kind === 'match') return true
      if (place.kind === 'split') open.push(...place.next)
      else if (place.kind === 'begin' && isBegin) open.push(...place.next)
      else if (place.kind === 'end' && isEnd) open.push(...place.next)
    }
    return undefined
  }
  const stateOf = (reached: Set<number>, isFirst = false): State => ({
    letters: [...reached].flatMap(index => {
      const place = places[index] as PatternPlace
      return place.kind === 'letter' ? [place] : []
    }),
    isFirst,
    after: new Map(),
  })
  /** Where a letter leads; `isLast`: the text ends with it. */
  const move = ({ letters, isFirst }: State, letter: string, isLast: boolean): Set<number> | 'match' => {
    const reached = new Set<number>()
    for (const { accepts, next } of isFirst ? letters : [...letters, ...beginnings])
      if (accepts?.(letter) && enter(reached, next[0] as number, false, isLast)) return 'match'
    return reached
  }

  const begun = new Set<number>()
  const isAlways = enter(begun, first, true, false)
  const matchesNothing = enter(new Set(), first, true, true)
  const matchesAtEnd = enter(new Set(), first, false, true)
  let start = stateOf(begun, true)
  /** Those that texts came to, by what is reached. */
  let states = new Map<string, State>()
  let moves = 0
  const next = (state: State, letter: string): State | 'match' => {
    const known = state.after.get(letter)
    if (known) return known
    const reached = move(state, letter, false)
    const key = reached === 'match' ? '' : [...reached].sort((a, b) => a - b).join(' ')
    const made = reached === 'match' ? reached : (states.get(key) ?? stateOf(reached))
    if (made !== 'match') states.set(key, made)
    state.after.set(letter, made)
    moves += 1
    return made
  }
  return {
    test(text) {
      if (isAlways) return true
      if (moves > mostMoves) {
        start = stateOf(begun, true)
        states = new Map()
        moves = 0
      }
      const letters = lettersOf(text)
      if (!letters.length) return matchesNothing === true
      const last = letters.length - 1
      let state: State | 'match' = start
      for (let at = 0; at < last; at += 1) {
        state = next(state, letters[at] as string)
        if (state === 'match') return true
      }
      return move(state, letters[last] as string, true) === 'match' || matchesAtEnd === true
    },
  }
}
