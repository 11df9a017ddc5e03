import { seesAll, type Viewer } from '#server/identity/visibility/scope.ts'

/** A viewer who sees all conversations of an organization. */
export const wholeOrganization = (orgId: string): Viewer => ({ orgId, scope: seesAll })
