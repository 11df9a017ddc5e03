import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunction, LoaderFunctionArgs, RouteObject } from 'react-router'
import { keyFor, queryClientContext, queryFor } from '#client/app/queries/queries.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { findOrg, loadViewer } from './viewer.ts'

/** The stream's position before the page's data is read, so that it misses nothing. */
export const placeQuery = (org: string) => queryFor(org, 'live.place', {})

/** Reads the stream's position if it is not known yet, for users who may open the stream. */
export const readPlace = async (args: LoaderFunctionArgs): Promise<void> => {
  // The guard redirects users who may not open this page.
  const viewer = await loadViewer(args).catch(() => undefined)
  const org = viewer && findOrg(viewer, args.params.org)
  if (!org || !roleCan(effectiveRole(org.role), 'chat:read')) return
  // Without a position, the stream starts with the next event.
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
 * Loaders of an address run in parallel, the frame's loader together with the page's. Below `/org/:org` each first
 * waits for the stream's position, so that no event is lost between reading the data and opening the stream.
 */
export const allAfterPlace = (routes: RouteObject[]): RouteObject[] => routes.map(withPlace)

/** Call it when no component listens any more: the next visit then reads the position and the data again. */
export const forgetPlace = (client: QueryClient, org: string): void => {
  client.removeQueries({ queryKey: keyFor(org, 'live.place') })
  void client.invalidateQueries({ queryKey: [org], refetchType: 'none' })
}
