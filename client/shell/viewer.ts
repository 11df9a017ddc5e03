import { createContext, use } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { isApiError } from '#client/app/calls/api-error.ts'
import { factsContext, type Site } from '#client/app/facts.ts'
import { refusal } from '#client/app/queries/guard.ts'
import { queryClientContext, queryFor, settle } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { OrgSummary, Viewer } from '#shared/orgs/api.ts'
import { landingOf } from './navigation.ts'

/** Loads the signed-in person. Fails with 401 if nobody is signed in. */
export const viewerQuery = queryFor(undefined, 'orgs.getViewer', {})

export const useViewer = (): Viewer => useAnswer(viewerQuery)

/** Finds one of the viewer's organizations by slug or id. `undefined` if the viewer is not a member. */
export const findOrg = (viewer: Viewer, org: string | undefined): OrgSummary | undefined =>
  viewer.organizations.find(one => one.slug === org || one.id === org)

/**
 * The organization whose frame is shown. Components take it from the frame: looking it up in the viewer would fail
 * after a rename, before the frame has redirected.
 */
export const OrgContext = createContext<OrgSummary | undefined>(undefined)

/** The organization of the address. Only below `/org/:org`. */
export const useOrg = (): OrgSummary => {
  const org = use(OrgContext)
  if (!org) throw new Error('useOrg was called outside a page of an organization')
  return org
}

/** The loader of pages that require a signed-in person. Sends others to the login, which returns here. */
export const requireViewer = (args: LoaderFunctionArgs): Promise<Viewer> => settle<Viewer>(args, viewerQuery)

/**
 * The loader of public pages. Returns `undefined` if nobody is signed in. Redirects to the second factor if that step
 * is missing.
 */
export const loadViewer = async ({ context, request }: LoaderFunctionArgs): Promise<Viewer | undefined> => {
  if (!context.get(factsContext).isSignedIn) return undefined
  try {
    return await context.get(queryClientContext).ensureQueryData(viewerQuery)
  } catch (error) {
    if (isApiError(error) && error.code === 'APP_SECOND_FACTOR_REQUIRED') throw refusal(error, request)
    if (isApiError(error) && error.status === 401) return undefined
    throw error
  }
}

/** True if the product offers to create another organization. The server decides; the first person is its admin. */
export const mayCreateOrg = (viewer: Viewer, site: Site): boolean =>
  site.signup === 'open' || viewer.user.role === 'admin'

/** Returns the first page of a person who signed in without a destination. */
export const viewerHome = (viewer: Viewer, { context }: LoaderFunctionArgs): string => {
  const [only, ...others] = viewer.organizations
  const org = viewer.active ?? (others.length === 0 ? only : undefined)
  if (org) return landingOf(org)
  return !only && mayCreateOrg(viewer, context.get(factsContext).site) ? paths.companyCreation() : paths.organizations()
}
