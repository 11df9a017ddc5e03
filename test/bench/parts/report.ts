import { styleText } from 'node:util'
import type { Spread } from './samples.ts'

export interface Line {
  readonly what: string
  readonly value: string
  /** Raw figures for `--json`. */
  readonly figure: number
  readonly goal?: string
  /** Whether the goal was reached; absent: a figure without a goal. */
  readonly held?: boolean
}

const digits = (value: number) => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2)
export const written = (value: number, unit = ''): string =>
  `${value.toLocaleString('en', { maximumFractionDigits: digits(value), minimumFractionDigits: digits(value) })}${unit && ` ${unit}`}`

/** A figure nobody has to reach. */
export const figure = (what: string, { median, low, high }: Spread, unit: string): Line => ({
  what,
  figure: median,
  value: low === high ? written(median, unit) : `${written(median, unit)}  (${written(low)} … ${written(high)})`,
})

const against = (value: number, goal: number, isLeast: boolean) => (isLeast ? value >= goal : value <= goal)

/** A ratio to a peer of the same run. */
export const ratio = (what: string, { median, low, high }: Spread, goal: number, isLeast = true): Line => ({
  what,
  figure: median,
  value: `${written(median)} ×  (${written(low)} … ${written(high)})`,
  goal: `${isLeast ? '≥' : '≤'} ${goal} ×`,
  held: against(median, goal, isLeast),
})

/** A figure with a bound. */
export const bound = (what: string, value: number, unit: string, goal: number, isLeast = false): Line => ({
  what,
  figure: value,
  value: written(value, unit),
  goal: `${isLeast ? '≥' : '≤'} ${goal} ${unit}`.trim(),
  held: against(value, goal, isLeast),
})

/** Something that must simply be so, such as that nothing was lost. */
export const fact = (what: string, value: string, held: boolean): Line => ({
  what,
  figure: held ? 1 : 0,
  value,
  goal: 'must hold',
  held,
})

/**
 * Prints the table, or JSON with `--json`; answers whether every goal was reached.
 * `notes`: under which conditions.
 */
export function report(args: readonly string[], lines: readonly Line[], notes: readonly string[] = []): boolean {
  const held = lines.every(line => line.held !== false)
  if (args.includes('--json')) {
    console.log(JSON.stringify({ held, notes, lines }, null, 2))
    return held
  }
  const width = (pick: (line: Line) => string) => Math.max(...lines.map(line => pick(line).length))
  const [what, value] = [width(line => line.what), width(line => line.value)]
  for (const line of lines) {
    const mark = line.held === undefined ? ' ' : line.held ? styleText('green', '✓') : styleText('red', '✗')
    console.log(`${mark} ${line.what.padEnd(what)}  ${line.value.padEnd(value)}  ${line.goal ?? ''}`.trimEnd())
  }
  for (const note of notes) console.log(`  ${styleText('dim', note)}`)
  return held
}

/** The number after a flag: `--rounds 3`. */
export const option = (args: readonly string[], name: string, fallback: number): number => {
  const at = args.indexOf(`--${name}`)
  const value = at < 0 ? Number.NaN : Number(args[at + 1])
  return Number.isFinite(value) ? value : fallback
}
