declare const granted: unique symbol

interface All {
  readonly kind: 'all'
}

interface Limited {
  readonly kind: 'limited'
  /**
   * Conversations of contacts with one of these tags; null: with any tags. Sorted, so that equal scopes have equal
   * cache keys.
   */
  readonly tagIds: readonly string[] | null
  /** False: without those that are assigned to a team. */
  readonly otherTeams: boolean
  /** Also those assigned to one of these teams; sorted. */
  readonly teamIds: readonly string[]
  /** Also those assigned to this person; null: no such addition. */
  readonly assigneeId: string | null
}

/**
 * Which conversations a viewer sees. Only `server/identity/visibility/scope.ts` creates it, so that nobody can widen
 * their own.
 */
export type Scope = (All | Limited) & { readonly [granted]: true }
