/** `npm run test:nightly` plays all cases; by day a part of them stands for the others. `TEST_NIGHT=1` for a single file. */
export const isNight = process.env.TEST_NIGHT === '1'

/** How many random cases are played. */
export const randomCases = ({ day, night }: { day: number; night: number }): number => (isNight ? night : day)

/** All cases at night, by day the first one of each kind. */
export const casesOfEachKind = <T>(cases: Iterable<T>, kindOf: (one: T) => string): readonly T[] => {
  const all = [...cases]
  if (isNight) return all
  return [...Map.groupBy(all, kindOf).values()].map(([first]) => first as T)
}

/** Whether one pair of a table is played: all pairs at night, by day a third, in which each row and each column occurs. */
export const isPlayed = (row: number, column: number): boolean => isNight || (row + column) % 3 === 0
