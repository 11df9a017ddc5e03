import { lookingMs, mostPresent, type Present, writingMs } from '#shared/inbox/presence.ts'
import { callerId, type OrgCaller } from './actor.ts'

/** Somebody who has something open, with the times until which that holds; `writesUntil` null: only looks. */
export interface Stay {
  readonly id: string
  readonly name: string
  readonly looksUntil: string
  readonly writesUntil: string | null
}

interface Said {
  /** Who else is there. */
  readonly items: Present[]
  readonly kept?: Stay
  /** By id. */
  readonly left?: string
  /** What the others have not seen yet. */
  readonly news?: { readonly person: Present; readonly isGone: boolean }
}

const present = ({ id, name, writesUntil }: Stay, at: string): Present => ({
  ...{ id, name },
  isWriting: (writesUntil ?? '') > at,
})

/** What a caller's word about where they are comes to. `there`: `mostPresent` and one more of those who are, the last to come first. */
export function hearPresence(
  caller: OrgCaller,
  state: 'looking' | 'writing' | 'gone',
  { there, now }: { there: readonly Stay[]; now: Date },
): Said {
  const at = now.toISOString()
  const later = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const id = callerId(caller)
  const items = there
    .filter(one => one.id !== id)
    .slice(0, mostPresent)
    .map(one => present(one, at))
  // Whoever acts as somebody else looks unseen: it is not that person who is there.
  if (caller.kind === 'person' && caller.impersonatedBy) return { items }
  const before = there.find(one => one.id === id)
  const isGone = state === 'gone'
  const writesUntil = state === 'writing' ? later(writingMs) : (before?.writesUntil ?? null)
  const stay: Stay = { id, name: caller.name, looksUntil: later(lookingMs), writesUntil }
  const news = { person: present(stay, at), isGone }
  if (isGone) return before ? { items, left: id, news } : { items }
  // That somebody still looks the next answer tells; that they still write, nobody asks for.
  return { items, kept: stay, ...(!before || state === 'writing' ? { news } : {}) }
}
