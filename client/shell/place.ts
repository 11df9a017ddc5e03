import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunction, LoaderFunctionArgs, RouteObject } from 'react-router'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { keyFor, queryClientContext, queryFor } from '../app/queries.ts'
import { findOrg, loadViewer } from './viewer.ts'

/** The stream's position before the page's data is read, so that it misses nothing. */
export const placeQuery = (org: string) => queryFor(org, 'live.place', {})

/** Reads the position for people who may listen, unless it is known. */
export const readPlace = async (args: LoaderFunctionArgs): Promise<void> => {
  // The guard redirects people who may not be here.
  const viewer = await loadViewer(args).catch(() => undefined)
  const org = viewer && findOrg(viewer, args.params.org)
  if (!org || !roleCan(effectiveRole(org.role), 'chat:read')) return
  // Without a position the stream starts when it opens.
  await args.context
    .get(queryClientContext)
    .ensureQueryData(placeQuery(org.slug))
    .catch(() => undefined)
}

/** A loader that starts after the position is known. */
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
 * Loaders of an address run in parallel, the frame's beside the page's. Below `/org/:org` each first waits for the
 * stream's position, so that no event is lost between reading and the stream's start.
 */
export const allAfterPlace = (routes: RouteObject[]): RouteObject[] => routes.map(withPlace)

/** When nobody listens any more, the position and the data are read again on the next visit. */
export const forgetPlace = (client: QueryClient, org: string): void => {
  client.removeQueries({ queryKey: keyFor(org, 'live.place') })
  void client.invalidateQueries({ queryKey: [org], refetchType: 'none' })
}
