/** Calls in the minute that ends at `minute_ends_at`. Null: no minute has begun. */
interface MinuteCount {
  readonly calls: number
  readonly minute_ends_at: string | null
}

/**
 * Counts one more call. Returns the new count, or when the minute ends if its calls are used up. @param now,
 * minuteEndsAt ISO 8601 UTC: a call's time, and the end of a minute that begins with it
 */
export function countInMinute(
  before: MinuteCount,
  { now, minuteEndsAt, limit }: { now: string; minuteEndsAt: string; limit: number },
): MinuteCount | { readonly freeAt: string } {
  const { calls, minute_ends_at: ends } = before
  // A minute that ends later than one starting now was started by a clock that ran ahead.
  if (ends === null || ends <= now || ends > minuteEndsAt) return { calls: 1, minute_ends_at: minuteEndsAt }
  return calls >= limit ? { freeAt: ends } : { calls: calls + 1, minute_ends_at: ends }
}
