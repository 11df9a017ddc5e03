import { useQueryClient } from '@tanstack/react-query'
import { Fragment, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, Navigate, Outlet, replace, useLocation, useMatches, useParams } from 'react-router'
import { returnToOf } from '#client/app/guard.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { factsContext } from '../app/facts.ts'
import { queryFor, settle, start } from '../app/queries.ts'
import type { PageHandle } from '../app/routes.tsx'
import { AwayBar, useAway } from './away-bar.tsx'
import { Header } from './header.tsx'
import { toolQueries } from './header-tools.tsx'
import { LiveProvider } from './live-provider.tsx'
import { placeQuery, readPlace } from './place.ts'
import { useScrollPlace } from './scroll-place.ts'
import { Sidebar, wabaQuery } from './sidebar.tsx'
import { toggleSidebar, useSidebarState, watchRoom } from './sidebar-state.ts'
import { useTooltips } from './tooltips.ts'
import { findOrg, OrgContext, requireViewer, useOrg, useViewer } from './viewer.ts'
import './frame.css'
import './sidebar.css'
import './sheet.css'
import './opens.css'

/** An address of an organization with another name of it: the slug where an id or an older slug stood. */
const withSlug = ({ pathname, search }: { pathname: string; search: string }, slug: string) =>
  pathname.replace(/^\/org\/[^/]+/, () => paths.org(slug)) + search

const renamedQuery = (slug: string) => queryFor(undefined, 'orgs.findRenamed', { params: { slug } })

/** The guard of everything below `/org/:org`: signed in, and one of the organization's people. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { org: wanted = '' } = args.params
  const url = new URL(args.request.url)
  // The organization's own address is its sign-in for whoever is not in yet.
  if (!args.context.get(factsContext).isSignedIn && /^\/org\/[^/]+\/?$/.test(url.pathname))
    throw replace(paths.orgLogin(wanted))
  const viewer = await requireViewer(args)
  const org = findOrg(viewer, wanted)
  if (!org) {
    // What else is theirs asks for a sign-in of their own; whether this one is, is not told.
    if (viewer.isBound) throw replace(paths.ownLogin(returnToOf(args.request)))
    const { slug } = await settle<{ slug: string | null }>(args, renamedQuery(wanted))
    throw replace(slug === null ? paths.unauthorized() : withSlug(url, slug))
  }
  if (org.ssoMissing) throw replace(paths.orgLogin(org.slug, returnToOf(args.request)))
  if (org.secondFactorDemanded) throw replace(paths.secondFactorSetup(org.slug))
  if (wanted !== org.slug) throw replace(withSlug(url, org.slug))
  await readPlace(args)
  // What stands beside the page does not decide about it: a failure is logged where it happens and shown where it is.
  await start(args, wabaQuery(org.slug), ...toolQueries(org.slug)).catch(() => null)
  return null
}

/** Opens the stream once, for whoever may read chats; it remembers its own place from then on. */
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

/** The page, as far as the frame gives way to it: the head of a chat takes its line. Not to one that cannot be shown. */
const useChatsInFrame = (): 'chats' | 'chat' | undefined => {
  const { phone } = useParams()
  const chats = useMatches().find(({ id }) => id === 'chats')
  if (chats?.loaderData === undefined) return undefined
  return phone === undefined ? 'chats' : 'chat'
}

const DeletionBar = lazy(() => import('./deletion-bar.tsx'))

/** Frame of the pages of an organization: sidebar, header and what stands between. */
function Frame() {
  const { t } = useTranslation('shell')
  const sidebar = useSidebarState()
  const { deletesAt } = useOrg()
  const page = useChatsInFrame()
  const comesFirst = useMatches().some(({ handle }) => (handle as PageHandle | undefined)?.comesFirst)
  // Boundaries are taken over after the page. As it was at first: else sidebar and header would be made anew.
  const [Around] = useState<typeof Suspense | typeof Fragment>(() => (comesFirst ? Suspense : Fragment))
  const away = useAway()
  const content = useScrollPlace()
  useSidebarKey()
  useTooltips()
  return (
    // Attributes, and no :has(): with one, each letter typed has the browser style the whole page anew.
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
        <Suspense fallback={<span className="skeleton content-skeleton" />}>
          <Outlet />
        </Suspense>
      </div>
      {away ? <AwayBar away={away} /> : null}
    </div>
  )
}

/** The frame, as long as the organization of the address is the viewer's under that name. */
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
  // Renamed while it was open, or not theirs any more.
  const renamed = findOrg(viewer, lastId.current)
  return <Navigate replace to={renamed ? withSlug(here, renamed.slug) : paths.unauthorized()} />
}
