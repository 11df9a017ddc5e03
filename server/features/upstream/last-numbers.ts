import { AppError } from '#server/platform/http/errors.ts'

/** Organizations whose number is remembered. */
const maxOrgs = 10_000

/**
 * Remembers the last answer about each organization's number. It changes once in years, and every page shows it, so an
 * upstream that does not answer must not take the page along.
 */
export function createLastNumbers() {
  const last = new Map<string, object>()
  return {
    /** The answer of `ask`, or the last one, marked as stale, if the upstream cannot say. @throws UPSTREAM_… when there is none */
    async orLast(orgId: string, ask: () => Promise<object>): Promise<object> {
      try {
        const answer = await ask()
        last.delete(orgId)
        last.set(orgId, answer)
        if (last.size > maxOrgs) last.delete(last.keys().next().value as string)
        return answer
      } catch (error) {
        const known = last.get(orgId)
        if (known === undefined || !(error instanceof AppError) || error.status < 500) throw error
        return { ...known, stale: true }
      }
    },
  }
}
