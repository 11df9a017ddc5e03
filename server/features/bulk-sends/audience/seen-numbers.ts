/** Every number fits into a float without loss, and is its own spelling. */
const isPlain = (key: string): boolean => /^[1-9]\d{0,14}$/.test(key)

/** Of a number the last nine digits, and what stands before them, are integers that take no memory beside the set. */
const tail = 1_000_000_000

const addTo = <T>(seen: Set<T>, one: T): boolean => {
  const { size } = seen
  return seen.add(one).size > size
}

/**
 * Which keys of numbers have come already. Kept as numbers: a text cut out of a file keeps the whole of that file's part in
 * memory, a hundred thousand times.
 */
export function createSeenNumbers() {
  const tailsByHead = new Map<number, Set<number>>()
  const others = new Set<string>()
  return {
    /** True: it has come for the first time. */
    add(key: string): boolean {
      if (!isPlain(key)) return addTo(others, key)
      const value = Number(key)
      const head = Math.floor(value / tail)
      const tails = tailsByHead.get(head) ?? new Set()
      tailsByHead.set(head, tails)
      // No float, which would be an object of its own.
      return addTo(tails, (value % tail) | 0)
    },
  }
}
