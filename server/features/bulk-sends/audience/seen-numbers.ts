/** Keys that fit into a float without loss. A leading zero would be lost. */
const isPlain = (key: string): boolean => /^[1-9]\d{0,14}$/.test(key)

/** The last nine digits and those before are small integers, which need no memory besides the set. */
const tail = 1_000_000_000

const addTo = <T>(seen: Set<T>, one: T): boolean => {
  const { size } = seen
  return seen.add(one).size > size
}

/**
 * Phone keys seen before. Stored as numbers: a string cut from a file would keep its whole chunk in memory, a hundred
 * thousand times.
 */
export function createSeenNumbers() {
  const tailsByHead = new Map<number, Set<number>>()
  const others = new Set<string>()
  return {
    /** True: it is new. */
    add(key: string): boolean {
      if (!isPlain(key)) return addTo(others, key)
      const value = Number(key)
      const head = Math.floor(value / tail)
      const tails = tailsByHead.get(head) ?? new Set()
      tailsByHead.set(head, tails)
      // An integer. A float would be an object of its own.
      return addTo(tails, (value % tail) | 0)
    },
  }
}
