/**
 * So many more of a list to look at, that what is still wanted is likely among them: as often as it was met so far, and a
 * quarter more. Twice as many as before at most, and as often where nothing was met.
 */
export const nextLook = ({
  found,
  wanted,
  looked,
  least,
}: {
  readonly found: number
  readonly wanted: number
  readonly looked: number
  readonly least: number
}): number => {
  const likely = found ? Math.ceil(((wanted - found) * looked * 1.25) / found) : looked * 2
  return Math.max(Math.min(likely, looked * 2), least)
}
