/**
 * A story that is told in several languages, widths or themes: `npm test` plays one variant of it, the next one each
 * day; `npm run test:nightly` and `npm run e2e` play all of them. `STORY_TURN=3` repeats the choice of another day.
 */
const msPerDay = 86_400_000

/** The workers of one run read what the first process of the run decided, so that a run over midnight is one run. */
process.env.STORY_TURN ??= String(Math.floor(Date.now() / msPerDay))
const turn = Number(process.env.STORY_TURN)
const playsAll = process.env.STORIES === 'all'

/** The variants that this run plays. A loop inside another one changes every `days` days, so that all pairs get their day. */
export const inTurn = <T>(variants: readonly T[], days = 1): readonly T[] => {
  if (playsAll) return variants
  const chosen = Math.floor(turn / days) % variants.length
  return variants.slice(chosen, chosen + 1)
}
