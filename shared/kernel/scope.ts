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
  /** Conversations assigned to one of these teams are included too. Sorted. */
  readonly teamIds: readonly string[]
  /** Conversations assigned to this person are included too. Null: nobody's. */
  readonly assigneeId: string | null
}

/**
 * The conversations that a viewer sees. Only `server/identity/visibility/scope.ts` creates a scope, so that nobody can
 * widen their own.
 */
export type Scope = (All | Limited) & { readonly [granted]: true }
