/** No pause is longer: a longer one was written by a clock that was ahead, and has ended. */
export const longestPauseMs = 30 * 60_000
