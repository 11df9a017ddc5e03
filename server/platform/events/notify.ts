import type { OrgRole } from '#shared/kernel/permissions.ts'
import type { Deriving, EventNeighbour } from './listeners.ts'

/** A text in the reader's language: `notices:{key}.title` and `.message`. */
export interface Words {
  readonly key: string
  readonly params: Readonly<Record<string, string | number>>
}

export interface Notice {
  /** The text, in the reader's language. */
  readonly words: Words
  /** Begins with `/`, relative to `/org/{slug}/c`; null or absent: no link. */
  readonly redirect?: string | null
  /** The conversation it is about. Unread notifications of one conversation are merged. */
  readonly conversation?: {
    readonly id: string
    /** The notification stands for this many things; absent: one. */
    readonly count?: number
    /** The text for several, which gets `count`. */
    readonly several: Words
  }
}

/** Sends notifications to members. */
export interface Notify {
  /**
   * Stores a notification for each of these people who sees its conversation, and emits `notification.raised` for each.
   * Does nothing if `userIds` is empty.
   */
  notify(write: Deriving, notice: Notice & { userIds: readonly string[] }, place?: EventNeighbour): Promise<void>
  /** Stores a notification for each member with one of these roles who sees the conversation. @see notify */
  notifyRoles(
    write: Deriving,
    roles: readonly OrgRole[],
    notice: Notice & {
      /** A member who did it, and needs no notification. */
      except?: string | null
    },
    place?: EventNeighbour,
  ): Promise<void>
}
