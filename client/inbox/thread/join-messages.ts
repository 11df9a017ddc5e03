import type { Message } from '#shared/inbox/messages.ts'

/**
 * Joins a part of a thread with its newest messages where they meet, both without gaps and oldest first. Otherwise
 * returns the part alone.
 */
export const joinedWith = (
  part: readonly Message[],
  newest: readonly Message[],
): { messages: readonly Message[]; isWhole: boolean } => {
  const known = new Set(newest.map(({ id }) => id))
  const meeting = part.findIndex(({ id }) => known.has(id))
  if (meeting < 0) return { messages: part, isWhole: false }
  return { messages: [...part.slice(0, meeting), ...newest], isWhole: true }
}
