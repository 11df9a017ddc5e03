/**
 * Returns how many more list entries to examine so that enough wanted ones are likely among them: by the share found so
 * far, plus a quarter. At most twice the last number, also if nothing was found.
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
