import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunction, LoaderFunctionArgs, RouteObject } from 'react-router'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { keyFor, queryClientContext, queryFor } from '../app/queries.ts'
import { findOrg, loadViewer } from './viewer.ts'

/** Where the stream of events stands before the page's data is read: it begins there and misses nothing. */
export const placeQuery = (org: string) => queryFor(org, 'live.place', {})

/** Reads the place of whoever may listen, unless it is known. */
export const readPlace = async (args: LoaderFunctionArgs): Promise<void> => {
  // Who may not be here is the guard's to lead elsewhere.
  const viewer = await loadViewer(args).catch(() => undefined)
  const org = viewer && findOrg(viewer, args.params.org)
  if (!org || !roleCan(effectiveRole(org.role), 'chat:read')) return
  // Without a place the stream begins when it opens; the page does not depend on it.
  await args.context
    .get(queryClientContext)
    .ensureQueryData(placeQuery(org.slug))
    .catch(() => undefined)
}

/** A loader that begins to read when the place is known. */
const afterPlace =
  (loader: LoaderFunction): LoaderFunction =>
  async (args, context) => {
    await readPlace(args)
    return loader(args, context)
  }

const withPlace = ({ loader, lazy, children, ...route }: RouteObject): RouteObject =>
  ({
    ...route,
    ...(typeof loader === 'function' ? { loader: afterPlace(loader) } : {}),
    ...(typeof lazy === 'function'
      ? {
          lazy: async () => {
            const { loader: own, ...loaded } = await lazy()
            return typeof own === 'function' ? { ...loaded, loader: afterPlace(own) } : loaded
          },
        }
      : {}),
    ...(children ? { children: allAfterPlace(children) } : {}),
  }) as RouteObject

/**
 * All loaders of an address run at the same time, the frame's beside the page's. Below `/org/:org` each of them first
 * waits for the place of the stream, so that no event falls between what was read and where the stream begins.
 */
export const allAfterPlace = (routes: RouteObject[]): RouteObject[] => routes.map(withPlace)

/** Nobody listens any more: the place is read anew, and what was read until here is asked again, when somebody comes back. */
export const forgetPlace = (client: QueryClient, org: string): void => {
  client.removeQueries({ queryKey: keyFor(org, 'live.place') })
  void client.invalidateQueries({ queryKey: [org], refetchType: 'none' })
}
