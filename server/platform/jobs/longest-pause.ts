/** A pause of a number is no longer than this: one that seems to be was written by a clock that ran ahead, and is over. */
export const longestPauseMs = 30 * 60_000
