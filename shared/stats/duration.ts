import { inOneLine } from '#shared/kernel/time.ts'

const two = (n: number) => (n < 10 ? `0${n}` : `${n}`)

/** `12 s`, `3 min 12 s`, `1 h 22 min`, `2 d 4 h`: a duration in two units at most, with plain spaces for files. */
export const plainDurationText = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 ? `${minutes} min ${two(seconds % 60)} s` : `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 ? `${hours} h ${two(minutes % 60)} min` : `${hours} h`
  const rest = hours % 24
  return rest ? `${Math.floor(hours / 24)} d ${rest} h` : `${Math.floor(hours / 24)} d`
}

/** The same for a screen, where it stays on one line. */
export const durationText = (ms: number): string => inOneLine(plainDurationText(ms))

/** A wait that still goes on, in whole minutes. */
export const waitText = (ms: number): string =>
  ms < 60_000 ? inOneLine('< 1 min') : durationText(Math.floor(ms / 60_000) * 60_000)

/** The change as a part of `before`; 0.5: half more. Null: one of the values is missing, or `before` is 0. */
export const relativeChange = (value: number | null, before: number | null): number | null =>
  value === null || before === null || before === 0 ? null : (value - before) / before

/**
 * The change of a share in whole percentage points: from 0.4 to 0.44 it is 4, not the 10 % that `relativeChange` would say.
 * Null: one of the values is missing.
 */
export const percentagePoints = (share: number | null, before: number | null): number | null =>
  share === null || before === null ? null : Math.round((share - before) * 100)
