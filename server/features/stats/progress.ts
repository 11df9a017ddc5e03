/** Messages of the last moments, of a bulk send for example, are always behind. */
const usualBacklog = 5_000

/** How far a reader of messages is; null: with all messages but those of the last moments. */
export const countingProgress = ({ read, last }: { read: number; last: number }): { done: number } | null =>
  last - read > usualBacklog ? { done: read / last } : null
