import type { UpstreamCall, UpstreamFailure } from '#shared/upstream/api.ts'

/** Figures kept: calls of an organization. Beyond, those that were asked longest ago are forgotten. */
const maxKept = 20_000

export type CallFigures = Omit<UpstreamCall, 'call' | 'resting'>
type Failure = Omit<NonNullable<CallFigures['lastFailure']>, 'reason'> & { readonly reason: UpstreamFailure }

/** Counts the calls of each organization since the process started. */
export function createFigures() {
  const kept = new Map<string, CallFigures>()
  const change = (key: string, news: (figures: CallFigures) => Partial<CallFigures>): void => {
    const figures = kept.get(key) ?? { count: 0, failures: 0, tookMs: null, lastFailure: null }
    kept.delete(key)
    kept.set(key, { ...figures, ...news(figures), count: figures.count + 1 })
    if (kept.size > maxKept) kept.delete(kept.keys().next().value as string)
  }
  return {
    /** @param key organization and call */
    answered: (key: string, tookMs: number) => change(key, () => ({ tookMs: Math.round(tookMs) })),
    failed: (key: string, lastFailure: Failure) =>
      change(key, ({ failures }) => ({ failures: failures + 1, lastFailure })),
    of: (key: string): CallFigures | undefined => kept.get(key),
  }
}
