/** Every number fits into a float without loss, and is its own spelling. */
const isPlain = (key: string): boolean => /^[1-9]\d{0,14}$/.test(key)

const firstSlots = 1024
/** So full a table grows. */
const mostFull = 0.6

const slotFor = (slots: Float64Array, value: number): number => {
  const last = slots.length - 1
  const low = value % 0x1_0000_0000
  let at = (Math.imul(low ^ Math.floor(value / 0x1_0000_0000), 0x9e37_79b1) >>> 7) & last
  while (slots[at] !== 0 && slots[at] !== value) at = (at + 1) & last
  return at
}

/**
 * Which keys of numbers have come already. A hundred thousand texts in a set are what the collector carries from one
 * place to the next; here they are two megabytes beside it.
 */
export function createSeenNumbers() {
  let slots = new Float64Array(firstSlots)
  let count = 0
  const others = new Set<string>()

  const grow = () => {
    const before = slots
    slots = new Float64Array(before.length * 2)
    for (const value of before) if (value) slots[slotFor(slots, value)] = value
  }

  return {
    /** True: it has come for the first time. */
    add(key: string): boolean {
      if (!isPlain(key)) {
        if (others.has(key)) return false
        others.add(key)
        return true
      }
      const value = Number(key)
      const at = slotFor(slots, value)
      if (slots[at] === value) return false
      slots[at] = value
      count += 1
      if (count > slots.length * mostFull) grow()
      return true
    },
  }
}
