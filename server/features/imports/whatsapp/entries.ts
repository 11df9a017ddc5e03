import { goodText } from '#server/platform/text/good-text.ts'
import type { Line } from './lines.ts'

/** The three numbers of a date, in the order of the file. Which one is the day, `dates.ts` decides. */
export type DateNumbers = readonly [number, number, number]

/** A message or a notice of WhatsApp, with the line it begins in. */
export interface Entry {
  readonly line: number
  readonly date: DateNumbers
  /** Seconds since midnight. */
  readonly seconds: number
  /** Null: a notice of WhatsApp. */
  readonly author: string | null
  readonly text: string
}

/** A line that belongs to no message. */
export interface Stray {
  readonly line: number
  readonly text: string
}

/** The longest text of a message, as WhatsApp allows. The rest is cut off. */
const textMaxChars = 65_536
const authorMaxChars = 120

/** Marks of direction, with which WhatsApp surrounds numbers and its own words. */
const marks = '\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff'
const space = '[ \\u00a0\\u202f]'
const date = '(\\d{1,4})[/.\\-](\\d{1,2})[/.\\-](\\d{1,4})'
/** `10:15`, `10:15:02`, `10:15 p. m.` */
const time = `(\\d{1,2})[:.](\\d{2})(?:[:.](\\d{2}))?(?:${space}*([ap])\\.?${space}*m\\.?)?`
const when = `${date},?${space}+${time}`
/** The head of a message: `[23/11/26, 10:15:02] Ana: Hola` on iPhones, `23/11/26, 10:15 - Ana: Hola` on Android. */
const head = new RegExp(`^[${marks}]*(?:\\[${when}\\]|${when}${space}+[-–])${space}(.*)$`, 'is')
const surrounding = new RegExp(`^[${marks}]+|[${marks}]+$`, 'g')

/** The author's name or number without marks of direction. */
const authorOf = (text: string): string => goodText(text.replace(surrounding, '')).trim()

const hourOf = (hour: number, half: string | undefined): number => {
  if (half === undefined) return hour
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

const beginningOf = ({ number, text }: Line): Entry | undefined => {
  const match = head.exec(text)
  if (!match) return undefined
  const [first, second, third, hour, minute, second60, half] = (match[1] === undefined
    ? match.slice(8, 15)
    : match.slice(1, 8)) as unknown as [string, string, string, string, string, string | undefined, string | undefined]
  const [h, m, s] = [hourOf(Number(hour), half), Number(minute), Number(second60 ?? 0)]
  if (h > 23 || m > 59 || s > 59) return undefined
  const said = match[15] ?? ''
  const colon = said.indexOf(': ')
  // A message that is empty, such as one of a deleted file, ends behind the colon.
  const end = colon === -1 && said.endsWith(':') ? said.length - 1 : colon
  const author = end > 0 && end <= authorMaxChars ? authorOf(said.slice(0, end)) : ''
  return {
    line: number,
    date: [Number(first), Number(second), Number(third)],
    seconds: h * 3600 + m * 60 + s,
    author: author || null,
    text: author ? said.slice(end + 2) : said,
  }
}

/**
 * The messages of a chat that WhatsApp exported, in the order of the file. A line without date and time continues the
 * message before it; before the first message it is a stray.
 */
export async function* readEntries(lines: AsyncIterable<Line>): AsyncGenerator<Entry | Stray> {
  let open: Entry | undefined
  let more: string[] = []
  let chars = 0
  const closed = (entry: Entry): Entry => ({
    ...entry,
    text: goodText([entry.text, ...more].join('\n').slice(0, textMaxChars)).trimEnd(),
  })
  for await (const line of lines) {
    const entry = beginningOf(line)
    if (entry) {
      if (open) yield closed(open)
      open = entry
      more = []
      chars = entry.text.length
    } else if (open) {
      chars += line.text.length + 1
      if (chars <= textMaxChars) more.push(line.text)
    } else if (line.text.trim()) yield { line: line.number, text: line.text }
  }
  if (open) yield closed(open)
}

export const isEntry = (one: Entry | Stray): one is Entry => 'date' in one
