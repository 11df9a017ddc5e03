import { lookingMs, maxPresent, type Present, writingMs } from '#shared/inbox/presence.ts'
import { callerId, type OrgCaller } from './actor.ts'

/** A member's presence. `writesUntil` null: not writing. */
export interface StoredPresence {
  readonly id: string
  readonly name: string
  readonly looksUntil: string
  readonly writesUntil: string | null
}

interface PresenceUpdate {
  /** The others who are present. */
  readonly items: Present[]
  readonly kept?: StoredPresence
  /** Id of the caller. */
  readonly left?: string
  /** The change that the others have not been notified of. Absent: none. */
  readonly news?: { readonly person: Present; readonly isGone: boolean }
}

const present = ({ id, name, writesUntil }: StoredPresence, at: string): Present => ({
  id,
  name,
  isWriting: (writesUntil ?? '') > at,
})

/** Evaluates a caller's presence heartbeat. `there`: up to `maxPresent` and one more, latest first. */
export function updatePresence(
  caller: OrgCaller,
  state: 'looking' | 'writing' | 'gone',
  { there, now }: { there: readonly StoredPresence[]; now: Date },
): PresenceUpdate {
  const at = now.toISOString()
  const later = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const id = callerId(caller)
  const items = there
    .filter(one => one.id !== id)
    .slice(0, maxPresent)
    .map(one => present(one, at))
  // An administrator who impersonates somebody is not shown.
  if (caller.kind === 'person' && caller.impersonatedBy) return { items }
  const before = there.find(one => one.id === id)
  const isGone = state === 'gone'
  const writesUntil = state === 'writing' ? later(writingMs) : (before?.writesUntil ?? null)
  const stay: StoredPresence = { id, name: caller.name, looksUntil: later(lookingMs), writesUntil }
  const news = { person: present(stay, at), isGone }
  if (isGone) return before ? { items, left: id, news } : { items }
  // That somebody still looks is in the next answer anyway; only new arrivals and writing are announced.
  return { items, kept: stay, ...(!before || state === 'writing' ? { news } : {}) }
}
