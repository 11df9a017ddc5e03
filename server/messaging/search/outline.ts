/** Beginnings of words up to this length are recorded. Later letters of a typed word are not checked. */
const maxChars = 8
/** A single letter would occur in nearly every block. */
const minChars = 2
const partBits = 5
/** An outline is stored in this many parts. Checking a word reads one of them. */
export const partsOfOutline = 1 << partBits
const bitsPerPart = 2 ** 15

const codeUnitStep = 0x01000193
/** FNV-1a: a few operations per letter. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), codeUnitStep)
  return hash >>> 0
}

/** The finalizer of Murmur3, so that each bit depends on all others. */
const mixed = (hash: number): number => {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}

/** The bits of a beginning of a word: two bits in one part. */
export interface Spot {
  readonly part: number
  readonly bits: readonly [number, number]
}

const spotOf = (orgKey: number, beginning: string): Spot => {
  const first = mixed(hashOf(`${orgKey}·${beginning}`))
  return { part: first >>> (32 - partBits), bits: [first % bitsPerPart, mixed(first ^ codeUnitStep) % bitsPerPart] }
}

/** The bits that a typed word requires. Undefined: it is too short. */
export const spotOfTyped = (orgKey: number, word: string): Spot | undefined => {
  const chars = [...word].slice(0, maxChars)
  return chars.length < minChars ? undefined : spotOf(orgKey, chars.join(''))
}

export const isAt = (part: Uint8Array, { bits }: Spot): boolean =>
  bits.every(bit => ((part[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0)

/**
 * A Bloom filter of the words in a block, with two bits per beginning of a word. It proves that a word is absent and
 * reveals no words.
 */
interface Outline {
  add(orgKey: number, words: readonly string[]): void
  /** A part without bits is empty. */
  parts(): readonly Buffer[]
}

/** Beginnings cached while an outline is built, because most words repeat. */
const maxCached = 100_000

export function createOutline(): Outline {
  const parts = Array.from({ length: partsOfOutline }, () => new Uint8Array(bitsPerPart >> 3))
  const isMarked = new Array<boolean>(partsOfOutline).fill(false)
  const remembered = new Map<number, Set<string>>()
  const addWord = (orgKey: number, word: string) => {
    let beginning = ''
    let count = 0
    for (const char of word) {
      beginning += char
      count += 1
      if (count > maxChars) return
      if (count < minChars) continue
      const { part, bits } = spotOf(orgKey, beginning)
      const own = parts[part] as Uint8Array
      for (const bit of bits) own[bit >> 3] = (own[bit >> 3] as number) | (1 << (bit & 7))
      isMarked[part] = true
    }
  }
  return {
    add(orgKey, words) {
      const known = remembered.get(orgKey) ?? new Set()
      remembered.set(orgKey, known)
      for (const word of words) {
        if (known.has(word)) continue
        if (known.size < maxCached) known.add(word)
        addWord(orgKey, word)
      }
    },
    parts: () => parts.map((part, i) => (isMarked[i] ? Buffer.from(part) : Buffer.alloc(0))),
  }
}
