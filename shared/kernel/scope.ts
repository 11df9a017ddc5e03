declare const granted: unique symbol

interface All {
  readonly kind: 'all'
}

interface Limited {
  readonly kind: 'limited'
  /**
   * Conversations of contacts with one of these tags; null: whatever tags they have. Sorted, so that who sees the same
   * asks the same.
   */
  readonly tagIds: readonly string[] | null
  /** False: of those, none that is assigned to a team. */
  readonly otherTeams: boolean
  /** And those assigned to one of these teams; sorted. */
  readonly teamIds: readonly string[]
  /** And those assigned to this person; null: to nobody in particular. */
  readonly assigneeId: string | null
}

/** Which conversations somebody sees. Made by `server/identity/visibility/scope.ts` only: nobody widens their own. */
export type Scope = (All | Limited) & { readonly [granted]: true }
