/** Every number fits into a float without loss, and is its own spelling. */
const isPlain = (key: string): boolean => /^[1-9]\d{0,14}$/.test(key)

/**
 * Which keys of numbers have come already. Kept as numbers: a text cut out of a file keeps the whole of that file's part in
 * memory, a hundred thousand times.
 */
export function createSeenNumbers() {
  const seen = new Set<number | string>()
  return {
    /** True: it has come for the first time. */
    add(key: string): boolean {
      const value = isPlain(key) ? Number(key) : key
      if (seen.has(value)) return false
      seen.add(value)
      return true
    },
  }
}
