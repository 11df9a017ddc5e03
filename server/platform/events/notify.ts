import type { OrgRole } from '#shared/kernel/permissions.ts'
import type { Deriving, EventNeighbour } from './listeners.ts'

/** Words to be said in the reader's language: `notices:{key}.title` and `.message`. */
export interface Words {
  readonly key: string
  readonly params: Readonly<Record<string, string | number>>
}

export interface Notice {
  /** What it says: `notices:{key}.title` and `.message`, in the reader's language. */
  readonly words: Words
  /** Begins with `/`, relative to `/org/{slug}/c`; null or absent: it leads nowhere. */
  readonly redirect?: string | null
  /** The conversation it is about: unread ones of one conversation become one. */
  readonly conversation?: {
    readonly id: string
    /** How many things this notice tells; absent: one. */
    readonly count?: number
    /** What is said of several, with `count` among its parameters. */
    readonly several: Words
  }
}

/** How any part of the product tells its people something. */
export interface Notify {
  /** Stores one notification for each of these people who sees its conversation and emits `notification.raised` of each. Nobody: nothing. */
  notify(write: Deriving, notice: Notice & { userIds: readonly string[] }, place?: EventNeighbour): Promise<void>
  /** The same for the members who have one of these roles. */
  notifyRoles(
    write: Deriving,
    roles: readonly OrgRole[],
    notice: Notice & {
      /** Knows it already: did it themselves. */
      except?: string | null
    },
    place?: EventNeighbour,
  ): Promise<void>
}
