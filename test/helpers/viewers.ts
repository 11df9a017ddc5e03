import { seesAll, type Viewer } from '#server/identity/visibility/scope.ts'

/** Somebody who sees all of an organization. */
export const wholeOrganization = (orgId: string): Viewer => ({ orgId, scope: seesAll })
