/**
 * A story with several languages, widths or themes: `npm test` runs one variant, a different one each day; `npm run
 * test:nightly` and `npm run e2e` run all. `STORY_TURN=3` repeats the choice of a certain day.
 */
const msPerDay = 86_400_000

/** All workers read the value that the first process of the run set, so a run over midnight is consistent. */
process.env.STORY_TURN ??= String(Math.floor(Date.now() / msPerDay))
const turn = Number(process.env.STORY_TURN)
const playsAll = process.env.STORIES === 'all'

/**
 * The variants of this run. A loop nested in another one changes every `days` days, so that every pair gets its day.
 */
export const inTurn = <T>(variants: readonly T[], days = 1): readonly T[] => {
  if (playsAll) return variants
  const chosen = Math.floor(turn / days) % variants.length
  return variants.slice(chosen, chosen + 1)
}
