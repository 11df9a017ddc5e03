/** Messages of the last moments, of a bulk send for example, are always behind. */
const usualBacklog = 5_000

/** The share of messages that a reader has read; null: it lags behind only by those of the last moments. */
export const countingProgress = ({ read, last }: { read: number; last: number }): { done: number } | null =>
  last - read > usualBacklog ? { done: read / last } : null
