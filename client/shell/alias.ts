import { type LoaderFunction, replace } from 'react-router'
import { paths } from '#shared/kernel/paths.ts'
import { findOrg, requireViewer } from './viewer.ts'

/**
 * Loader of an older spelling of an address: `/{id}/{slug}/stats`, `/{id}/flow/{idFlow}`. Redirects to the page below
 * `/org/{slug}`, or to `/unauthorized` for an organization that is not the viewer's.
 */
export const aliasOf =
  (to: (slug: string, params: Record<string, string | undefined>) => string): LoaderFunction =>
  async args => {
    const viewer = await requireViewer(args)
    const { id, slug } = args.params
    const org = findOrg(viewer, slug ?? id)
    // The first part is `org` in the sidebar's links, otherwise the organization's id. Another organization's id is an
    // error.
    if (!org || (slug !== undefined && findOrg(viewer, id)?.id !== org.id)) throw replace(paths.unauthorized())
    throw replace(to(org.slug, args.params) + new URL(args.request.url).search)
  }
