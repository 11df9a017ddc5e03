/**
 * `npm run test:nightly` plays all cases, `npm test` a part of them. Set `TEST_NIGHT=1` for all cases of a single file.
 */
export const isNight = process.env.TEST_NIGHT === '1'

/** The number of random cases. */
export const randomCases = ({ day, night }: { day: number; night: number }): number => (isNight ? night : day)

/** All cases at night, otherwise the first one of each kind. */
export const casesOfEachKind = <T>(cases: Iterable<T>, kindOf: (one: T) => string): readonly T[] => {
  const all = [...cases]
  if (isNight) return all
  return [...Map.groupBy(all, kindOf).values()].map(([first]) => first as T)
}

/**
 * Whether to test one pair of a table: all pairs at night, otherwise a third, in which each row and each column occurs.
 */
export const isPlayed = (row: number, column: number): boolean => isNight || (row + column) % 3 === 0
