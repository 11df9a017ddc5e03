import { useQueryClient } from '@tanstack/react-query'
import { Fragment, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, Navigate, Outlet, replace, useLocation, useMatches, useParams } from 'react-router'
import { factsContext } from '#client/app/facts.ts'
import { returnToOf } from '#client/app/queries/guard.ts'
import { queryFor, settle, start } from '#client/app/queries/queries.ts'
import type { PageHandle } from '#client/app/routes/page-route.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { AwayBar, useAway } from './bars/away-bar.tsx'
import { useHashPlace } from './hash-place.ts'
import { Header } from './header.tsx'
import { toolQueries } from './header-tools.tsx'
import { LiveProvider } from './live-provider.tsx'
import { wabaQuery } from './org-queries.ts'
import { placeQuery, readPlace } from './place.ts'
import { useScrollPlace } from './scroll-place.ts'
import { Sidebar } from './sidebar/sidebar.tsx'
import { toggleSidebar, useSidebarState, watchRoom } from './sidebar/sidebar-state.ts'
import { useTooltips } from './tooltips.ts'
import { findOrg, OrgContext, requireViewer, useOrg, useViewer } from './viewer.ts'
import './frame.css'
import './sidebar/sidebar.css'
import './sheet.css'
import './opens.css'

/** The address with the organization's slug in place of an id or an older slug. */
const withSlug = ({ pathname, search }: { pathname: string; search: string }, slug: string) =>
  pathname.replace(/^\/org\/[^/]+/, () => paths.org(slug)) + search

const renamedQuery = (slug: string) => queryFor(undefined, 'orgs.findRenamed', { params: { slug } })

/** Guards everything below `/org/:org`: the user must be signed in and a member. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { org: wanted = '' } = args.params
  const url = new URL(args.request.url)
  // Visitors who are not signed in see the organization's login page at this address.
  if (!args.context.get(factsContext).isSignedIn && /^\/org\/[^/]+\/?$/.test(url.pathname))
    throw replace(paths.orgLogin(wanted))
  const viewer = await requireViewer(args)
  const org = findOrg(viewer, wanted)
  if (!org) {
    // A session bound to one organization needs another sign-in for others. Whether this one exists is not revealed.
    if (viewer.isBound) throw replace(paths.ownLogin(returnToOf(args.request)))
    const { slug } = await settle<{ slug: string | null }>(args, renamedQuery(wanted))
    throw replace(slug === null ? paths.unauthorized() : withSlug(url, slug))
  }
  if (org.ssoMissing) throw replace(paths.orgLogin(org.slug, returnToOf(args.request)))
  if (org.secondFactorDemanded) throw replace(paths.secondFactorSetup(org.slug))
  if (wanted !== org.slug) throw replace(withSlug(url, org.slug))
  await readPlace(args)
  // The page opens even if this data fails. The failing part logs the error and shows it.
  await start(args, wabaQuery(org.slug), ...toolQueries(org.slug)).catch(() => null)
  return null
}

/** Opens the stream once, for users who may read chats. From then on it remembers its own position. */
function Live({ org, children }: { org: string; children: ReactNode }) {
  const place = useQueryClient().getQueryData(placeQuery(org).queryKey)
  const mayListen = roleCan(effectiveRole(useOrg().role), 'chat:read')
  return mayListen ? (
    <LiveProvider key={org} since={place?.id}>
      {children}
    </LiveProvider>
  ) : (
    children
  )
}

/** Cmd/Ctrl+B. */
const useSidebarKey = () => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'b' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      if (event.defaultPrevented || event.repeat) return
      event.preventDefault()
      toggleSidebar()
    }
    document.addEventListener('keydown', press)
    const stopWatching = watchRoom()
    return () => {
      document.removeEventListener('keydown', press)
      stopWatching()
    }
  }, [])
}

/** Finds out whether the chats are open or one of them, which has its own header. Undefined: neither, or it failed. */
const useChatsInFrame = (): 'chats' | 'chat' | undefined => {
  const { phone } = useParams()
  const chats = useMatches().find(({ id }) => id === 'chats')
  if (chats?.loaderData === undefined) return undefined
  return phone === undefined ? 'chats' : 'chat'
}

const DeletionBar = lazy(() => import('./bars/deletion-bar.tsx'))

/** The frame of an organization's pages: sidebar, header and content. */
function Frame() {
  const { t } = useTranslation('shell')
  const sidebar = useSidebarState()
  const { deletesAt } = useOrg()
  const page = useChatsInFrame()
  const comesFirst = useMatches().some(({ handle }) => (handle as PageHandle | undefined)?.comesFirst)
  // `Suspense` boundaries hydrate after the page. Fixed at the first render, otherwise sidebar and header would be
  // recreated.
  const [Around] = useState<typeof Suspense | typeof Fragment>(() => (comesFirst ? Suspense : Fragment))
  const away = useAway()
  const content = useScrollPlace()
  useHashPlace()
  useSidebarKey()
  useTooltips()
  return (
    // Attributes instead of :has(), with which the browser recalculates styles of the whole page for each typed letter.
    <div className="app" data-sidebar={sidebar} data-page={page}>
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <Around>
        <Sidebar />
      </Around>
      <Around>
        <Header />
      </Around>
      {deletesAt ? (
        <Suspense>
          <DeletionBar deletesAt={deletesAt} />
        </Suspense>
      ) : null}
      <div ref={content} id="content" className="app-content" tabIndex={-1}>
        <Suspense fallback={<span className="skeleton skeleton-rows content-skeleton" />}>
          <Outlet />
        </Suspense>
      </div>
      {away ? <AwayBar away={away} /> : null}
    </div>
  )
}

/** The frame, while the address names one of the viewer's organizations. */
export default function OrgPage() {
  const viewer = useViewer()
  const here = useLocation()
  const { org: wanted } = useParams()
  const org = findOrg(viewer, wanted)
  const lastId = useRef<string>(undefined)
  useEffect(() => {
    if (org) lastId.current = org.id
  }, [org])
  if (org)
    return (
      <OrgContext value={org}>
        <Live org={org.slug}>
          <Frame />
        </Live>
      </OrgContext>
    )
  // Renamed while open, or the viewer is no longer a member.
  const renamed = findOrg(viewer, lastId.current)
  return <Navigate replace to={renamed ? withSlug(here, renamed.slug) : paths.unauthorized()} />
}
