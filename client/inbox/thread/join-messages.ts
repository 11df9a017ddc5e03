import type { Message } from '#shared/inbox/messages.ts'

/**
 * A part of a thread and its newest messages, both without gaps and oldest first: one list where they meet, else the part
 * alone.
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
