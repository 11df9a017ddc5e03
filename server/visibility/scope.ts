declare const granted: unique symbol

interface All {
  readonly kind: 'all'
}

interface Limited {
  readonly kind: 'limited'
  /** Conversations of contacts with one of these tags; sorted, so that who sees the same asks the same. */
  readonly tagIds: readonly string[]
  /** And those assigned to this person; null: to nobody in particular. */
  readonly assigneeId: string | null
}

/** Which conversations somebody sees. Made here only: nobody widens their own. */
export type Scope = (All | Limited) & { readonly [granted]: true }

/** For principals that see everything, and for the product's own work. Who may use it stands in `test/helpers/permits.ts`. */
export const seesAll = { kind: 'all' } as Scope

/** No tags and nobody: nothing is seen. */
export const seesSome = (tagIds: Iterable<string>, assigneeId: string | null): Scope =>
  ({ kind: 'limited', tagIds: [...new Set(tagIds)].sort(), assigneeId }) as unknown as Scope

/** Who looks at what an organization has; every principal in one is a viewer of it. */
export interface Viewer {
  readonly orgId: string
  readonly scope: Scope
}

/** The product itself, at work for an organization: nobody sees what it reads. */
export const wholeOrganization = (orgId: string): Viewer => ({ orgId, scope: seesAll })
