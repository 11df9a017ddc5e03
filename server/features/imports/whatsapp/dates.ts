import type { DateOrder } from '#shared/imports/states.ts'
import { timeOfWall } from '#shared/kernel/time.ts'
import type { DateNumbers, Entry } from './entries.ts'

interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const fullYear = (year: number) => (year < 100 ? 2000 + year : year)

/** Undefined: no such day. */
export const readDay = ([a, b, c]: DateNumbers, order: DateOrder): Day | undefined => {
  const [year, month, day] = order === 'ymd' ? [a, b, c] : order === 'mdy' ? [c, a, b] : [c, b, a]
  // A year of two digits in front would fit nearly every date.
  if (order === 'ymd' && year < 100) return undefined
  const full = fullYear(year)
  if (full < 2009 || full > 2100 || month < 1 || month > 12 || day < 1) return undefined
  return day <= new Date(Date.UTC(full, month, 0)).getUTCDate() ? { year: full, month, day } : undefined
}

/** More days than this are alike if the first ones are. */
const daysCompared = 1_000

const two = (n: number) => String(n).padStart(2, '0')

/** The time as the phone's clock showed it. */
const wallOf = ({ year, month, day }: Day, seconds: number): string => {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${year}-${two(month)}-${two(day)}T${two(h)}:${two(m)}:${two(s)}`
}

/** Returns the time of a message, ISO 8601 UTC. Undefined: its date is none in this order. */
export const entryTime = ({ date, seconds }: Pick<Entry, 'date' | 'seconds'>, order: DateOrder, zone: string) => {
  const day = readDay(date, order)
  if (!day) return undefined
  return timeOfWall(wallOf(day, seconds), zone)
}

/** The order in which the dates of a file have to be read. */
interface DateReading {
  readonly order: DateOrder
  /** False: more than one order fits, and this one is the more likely. */
  readonly isSure: boolean
  /** The earliest and the latest time on the phone's clock, as `2026-11-23T10:15:02`. Null: no message has a date. */
  readonly first: string | null
  readonly last: string | null
  /** Lines whose date is none. */
  readonly impossible: number
}

/**
 * Finds out which number of the dates is the day. A number above 12 decides. Otherwise the order counts in which the
 * file goes back in time the least, because WhatsApp writes messages as they came; and the day first if that says
 * nothing.
 */
export function createDateSense() {
  const facts = { dmy: new Facts('dmy'), mdy: new Facts('mdy'), ymd: new Facts('ymd') }
  const all = Object.values(facts)
  return {
    add(entry: Pick<Entry, 'date' | 'seconds'>): void {
      for (const one of all) one.add(entry)
    },
    reading(): DateReading {
      const ranked = all.toSorted((a, b) => a.impossible - b.impossible || a.backwards - b.backwards)
      const [best, next] = ranked as [Facts, Facts, Facts]
      const { order, impossible, first, last } = best
      return { order, impossible, first, last, isSure: impossible < next.impossible || best.isAlike(next) }
    },
  }
}

class Facts {
  readonly order: DateOrder
  /** Dates that are none in this order. */
  impossible = 0
  /** Times before the one of the line above. */
  backwards = 0
  first: string | null = null
  last: string | null = null
  #before = ''
  #days = new Set<string>()

  constructor(order: DateOrder) {
    this.order = order
  }

  add({ date, seconds }: Pick<Entry, 'date' | 'seconds'>): void {
    const day = readDay(date, this.order)
    if (!day) {
      this.impossible += 1
      return
    }
    const stamp = wallOf(day, seconds)
    if (stamp < this.#before) this.backwards += 1
    this.#before = stamp
    if (this.first === null || stamp < this.first) this.first = stamp
    if (this.last === null || stamp > this.last) this.last = stamp
    if (this.#days.size < daysCompared) this.#days.add(stamp.slice(0, 10))
  }

  /** Both orders give the same days, as in 04/04/2025. */
  isAlike(other: Facts): boolean {
    return this.#days.size === other.#days.size && [...this.#days].every(day => other.#days.has(day))
  }
}
