/** What went wrong: of a call without an answer, of an answer that does not fit, or of an error that it answered. */
export type FailureReason = 'unreachable' | 'timeout' | 'misfit' | 'error' | 'token'

export interface CallFigures {
  calls: number
  failures: number
  /** Of the last answer. */
  tookMs: number | null
  lastFailure: { readonly at: string; readonly reason: FailureReason; readonly detail: string } | null
}

/** Counts the calls of this process by name. There are as many as contracts, so nothing grows. */
export function createFigures() {
  const byCall = new Map<string, CallFigures>()
  const of = (name: string): CallFigures => {
    const known = byCall.get(name)
    if (known) return known
    const made: CallFigures = { calls: 0, failures: 0, tookMs: null, lastFailure: null }
    byCall.set(name, made)
    return made
  }
  return {
    answered(name: string, tookMs: number): void {
      const figures = of(name)
      figures.calls += 1
      figures.tookMs = Math.round(tookMs)
    },
    failed(name: string, failure: NonNullable<CallFigures['lastFailure']>): void {
      const figures = of(name)
      figures.calls += 1
      figures.failures += 1
      figures.lastFailure = failure
    },
    all: (): ReadonlyMap<string, Readonly<CallFigures>> => byCall,
  }
}

export type Figures = ReturnType<typeof createFigures>
