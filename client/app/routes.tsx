import type { ComponentType, ReactElement } from 'react'
import { type LoaderFunction, type RouteObject, replace } from 'react-router'
import { MissingChat } from '#client/inbox/thread/missing-chat.tsx'
import { aliasOf } from '#client/shell/alias.ts'
import { allowed } from '#client/shell/allowed.ts'
import { ErrorPage } from '#client/shell/error-page.tsx'
import { MissingPartFault } from '#client/shell/missing-part-fault.tsx'
import type { TitleKey } from '#client/shell/navigation.ts'
import { notFoundLoader } from '#client/shell/not-found.tsx'
import { allAfterPlace } from '#client/shell/place.ts'
import { RootLayout } from '#client/shell/root-layout.tsx'
import { paths } from '#shared/kernel/paths.ts'
import type { Capability } from '#shared/kernel/permissions.ts'
import { PRODUCT_KEY } from '#shared/kernel/product.ts'
import type { Facts } from './facts.ts'
import { loadPart, MissingPart } from './hydration/missing-part.ts'

/** Facts about a route for the server and the page frame. */
export interface PageHandle {
  /** The file whose scripts and styles the page needs. */
  readonly module?: string
  /** Text namespaces besides the common ones. */
  readonly ns?: readonly string[]
  /** The page's name in the breadcrumb. `chat` stands for the customer's name. */
  readonly crumb?: TitleKey | 'chat'
  /** False: it shows no dates at first. */
  readonly hasDates?: boolean
  /** True: elements marked `data-first` hydrate before the frame. */
  readonly comesFirst?: boolean
  /** A file it loads in wide windows, fetched together with the page's scripts. */
  readonly whenWide?: (facts: Facts) => string | undefined
}

/** The exports of a page file. */
export interface PageModule {
  readonly default: ComponentType
  readonly loader?: LoaderFunction
}

interface PageOptions {
  readonly crumb?: PageHandle['crumb']
  readonly hasDates?: PageHandle['hasDates']
  readonly comesFirst?: PageHandle['comesFirst']
  readonly whenWide?: PageHandle['whenWide']
  /** Roles without it are sent to `/unauthorized`. */
  readonly needs?: Capability
  /** Shown if the page fails; default: the general error page. */
  readonly failed?: ReactElement
}

const files = import.meta.glob<PageModule>([
  '../*/**/page.tsx',
  '../*/**/*-page.tsx',
  '!./**',
  '!../shell/error-page.tsx',
])

type PageRoute = Pick<RouteObject, 'handle' | 'lazy' | 'errorElement'>

/** A page in its own chunk: `file` below `client/`, `ns` the texts it needs besides `common` and `shell`. */
const page = (
  file: string,
  ns: readonly string[] = [],
  { crumb, needs, failed, hasDates, comesFirst, whenWide }: PageOptions = {},
): PageRoute => {
  const load = files[`../${file}`]
  if (!load) throw new Error(`There is no page client/${file}`)
  const handle: PageHandle = { module: `client/${file}`, ns, crumb, hasDates, comesFirst, whenWide }
  return {
    handle,
    errorElement: failed ?? <ErrorPage />,
    lazy: async () => {
      try {
        const { default: Component, loader } = await loadPart(load)
        if (needs) return { Component, loader: allowed(needs, loader) }
        return loader ? { Component, loader } : { Component }
      } catch (error) {
        // The router shows nothing for a route whose code did not load.
        if (error instanceof MissingPart) return { Component: MissingPartFault }
        throw error
      }
    },
  }
}

/** An unknown address. Inside the frame, the frame stays. */
const nowhere = { loader: notFoundLoader, errorElement: <ErrorPage /> }
const alias = (to: Parameters<typeof aliasOf>[0]) => ({ loader: aliasOf(to), errorElement: <ErrorPage /> })

/** Every address of the product. shared/kernel/paths.ts has the functions that build them. */
export const routes: RouteObject[] = [
  {
    id: 'root',
    element: <RootLayout />,
    errorElement: <ErrorPage />,
    handle: { ns: ['loaderDark'] } satisfies PageHandle,
    children: [
      { id: 'home', index: true, ...page('shell/home-page.tsx', ['auth']) },
      { id: 'login', path: 'login', ...page('auth/login-page.tsx', ['auth']) },
      { id: 'second-step', path: 'login/second-step', ...page('auth/second-step-page.tsx', ['auth']) },
      { id: 'org-login', path: 'org/:org/login', ...page('auth/login-page.tsx', ['auth']) },
      {
        id: 'second-factor-setup',
        path: 'org/:org/second-factor',
        ...page('settings/second-factor/second-factor-setup-page.tsx', ['settings']),
      },
      { id: 'authorize', path: 'oauth/authorize', ...page('programs/authorize-page.tsx', ['programs']) },
      { id: 'delete-account', path: 'delete-account', ...page('auth/delete-account-page.tsx') },
      { id: 'invitation', path: 'org/:org/invitation', ...page('orgs/invitation-page.tsx', ['orgs']) },
      {
        id: 'simulated-dialog',
        path: 'org/:org/simulator/signup',
        ...page('simulator/signup-page.tsx', ['simulator'], { needs: 'connection:manage' }),
      },
      { id: 'organizations', path: 'organizations', ...page('orgs/organizations-page.tsx', ['orgs']) },
      { id: 'company-creation', path: 'company-creation', ...page('orgs/company-creation-page.tsx', ['orgs']) },
      { id: 'site', path: 'admin', ...page('site/page.tsx', ['site', 'audit', 'org-settings']) },
      {
        id: 'stats-unsubscribe',
        path: 'unsubscribe/statistics',
        ...page('stats/report/unsubscribe-page.tsx', ['stats']),
      },
      { id: 'unauthorized', path: 'unauthorized', ...page('shell/unauthorized-page.tsx') },
      {
        id: 'org',
        path: 'org/:org',
        ...page('shell/org-page.tsx', ['palette', 'notifications']),
        children: allAfterPlace([
          { id: 'admin', index: true, ...page('admin/page.tsx', ['admin', 'programs'], { crumb: 'nav.admin' }) },
          {
            id: 'audit',
            path: 'audit',
            ...page('audit/page.tsx', ['audit', 'org-settings'], { crumb: 'nav.audit', needs: 'audit:read' }),
          },
          {
            id: 'api-calls',
            path: 'api-calls',
            ...page('api-calls/page.tsx', ['api-calls'], { crumb: 'nav.apiCalls', needs: 'integration:manage' }),
          },
          {
            id: 'deliveries',
            path: 'deliveries',
            ...page('deliveries/page.tsx', ['deliveries'], { crumb: 'nav.deliveries', needs: 'integration:manage' }),
          },
          {
            id: 'contacts',
            path: 'contacts',
            ...page('contacts/page.tsx', ['contacts', 'segments', 'tags', 'erasures'], {
              crumb: 'nav.contacts',
              needs: 'chat:read',
            }),
          },
          {
            id: 'bulk',
            path: 'c/masive',
            handle: { crumb: 'nav.bulk' } satisfies PageHandle,
            children: [
              {
                id: 'bulk-list',
                index: true,
                ...page('bulk-sends/page.tsx', ['bulk-sends', 'templates'], { needs: 'bulk:send' }),
              },
              {
                id: 'bulk-create',
                path: 'new',
                ...page('bulk-sends/create/create-page.tsx', ['bulk-sends', 'segments', 'templates'], {
                  crumb: 'nav.bulkCreate',
                  needs: 'bulk:send',
                }),
              },
              {
                id: 'bulk-send',
                path: ':idSend',
                ...page('bulk-sends/report/send-page.tsx', ['bulk-sends', 'templates'], {
                  crumb: 'nav.bulkSend',
                  needs: 'bulk:send',
                }),
              },
            ],
          },
          {
            id: 'chats',
            path: 'c',
            ...page('inbox/page.tsx', ['inbox', 'tags', 'erasures', 'org-settings'], {
              crumb: 'nav.chat',
              needs: 'chat:read',
            }),
            children: [
              { id: 'no-chat', index: true, ...page('inbox/index-page.tsx', ['inbox']) },
              {
                id: 'chat',
                path: ':phone',
                ...page('inbox/thread/chat-page.tsx', ['inbox'], { crumb: 'chat', failed: <MissingChat /> }),
              },
            ],
          },
          {
            id: 'templates',
            path: 'template',
            handle: { crumb: 'nav.templates' } satisfies PageHandle,
            children: [
              {
                id: 'template-list',
                index: true,
                ...page('templates/page.tsx', ['templates'], { needs: 'chat:read' }),
              },
              {
                id: 'template-create',
                path: 'create',
                ...page('templates/builder/create-page.tsx', ['templates'], {
                  crumb: 'nav.templateCreate',
                  needs: 'template:edit',
                }),
              },
              {
                id: 'template-edit',
                path: 'edit/:idTemplate',
                ...page('templates/builder/edit-page.tsx', ['templates'], {
                  crumb: 'nav.templateEdit',
                  needs: 'template:edit',
                }),
              },
              {
                id: 'template',
                path: ':idTemplate',
                ...page('templates/template-page.tsx', ['templates'], { crumb: 'nav.template', needs: 'chat:read' }),
              },
            ],
          },
          {
            id: 'flows',
            path: 'flow',
            handle: { crumb: 'nav.flows' } satisfies PageHandle,
            children: [
              { id: 'flow-list', index: true, ...page('flows/page.tsx', ['flows'], { needs: 'chat:read' }) },
              {
                id: 'flow',
                path: ':idFlow',
                ...page('flows/flow-page.tsx', ['flows'], {
                  crumb: 'nav.flow',
                  needs: 'chat:read',
                  hasDates: false,
                  comesFirst: true,
                  whenWide: ({ flowsAsLists }) => (flowsAsLists ? undefined : 'client/flows/canvas/canvas.tsx'),
                }),
              },
              {
                id: 'flow-runs',
                path: ':idFlow/runs',
                ...page('flows/runs/runs-page.tsx', ['flows'], { crumb: 'nav.flowRuns', needs: 'chat:read' }),
              },
              {
                id: 'flow-run',
                path: ':idFlow/runs/:idRun',
                ...page('flows/runs/run-page.tsx', ['flows'], { crumb: 'nav.flowRun', needs: 'chat:read' }),
              },
            ],
          },
          {
            id: 'stats-pages',
            path: 'stats',
            handle: { crumb: 'nav.stats' } satisfies PageHandle,
            children: [
              { id: 'stats', index: true, ...page('stats/page.tsx', ['stats'], { needs: 'stats:open' }) },
              {
                id: 'stats-now',
                path: 'now',
                ...page('stats/now/page.tsx', ['stats'], { crumb: 'nav.statsNow', needs: 'stats:read' }),
              },
              {
                id: 'stats-messages',
                path: 'messages',
                ...page('stats/cost/messages-page.tsx', ['stats'], { crumb: 'nav.statsMessages', needs: 'stats:read' }),
              },
              {
                id: 'stats-conversations',
                path: 'conversations',
                ...page('stats/conversations-page.tsx', ['stats'], {
                  crumb: 'nav.statsConversations',
                  needs: 'stats:read',
                }),
              },
            ],
          },
          {
            path: 'integrations',
            handle: { crumb: 'nav.integrations' } satisfies PageHandle,
            children: [
              {
                id: 'integrations',
                index: true,
                ...page('integrations/page.tsx', ['integrations'], { needs: 'integration:manage' }),
              },
              {
                id: 'imports',
                path: 'imports',
                ...page('imports/page.tsx', ['imports'], { crumb: 'nav.imports', needs: 'member:manage' }),
              },
            ],
          },
          {
            id: 'settings',
            path: 'settings',
            ...page('settings/page.tsx', ['settings'], { crumb: 'nav.settings' }),
            children: [
              {
                id: 'settings-start',
                index: true,
                loader: ({ params }) => {
                  throw replace(paths.settingsOf(params.org ?? '', 'organization'))
                },
              },
              {
                id: 'settings-organization',
                path: 'organization',
                ...page('settings/organization-page.tsx', ['settings', 'org-settings', 'orgs'], {
                  crumb: 'nav.settingsOrganization',
                }),
              },
              {
                id: 'settings-prices',
                path: 'prices',
                ...page('bulk-sends/prices-page.tsx', ['settings', 'bulk-sends'], {
                  crumb: 'nav.settingsPrices',
                  needs: 'org:update',
                }),
              },
              {
                id: 'settings-tags',
                path: 'tags',
                ...page('tags/page.tsx', ['settings', 'tags'], { crumb: 'nav.settingsTags', needs: 'chat:read' }),
              },
              {
                id: 'settings-answers',
                path: 'answers',
                ...page('ready-answers/page.tsx', ['settings', 'ready-answers', 'org-settings'], {
                  crumb: 'nav.settingsAnswers',
                  needs: 'chat:reply',
                }),
              },
              {
                id: 'settings-whatsapp',
                path: 'whatsapp',
                ...page('integrations/connection-page.tsx', ['settings', 'integrations'], {
                  crumb: 'nav.settingsWhatsapp',
                  needs: 'connection:read',
                }),
              },
              {
                id: 'settings-facebook',
                path: 'whatsapp/facebook',
                ...page('integrations/facebook-page.tsx', ['settings', 'integrations'], {
                  crumb: 'nav.settingsFacebook',
                  needs: 'connection:manage',
                }),
              },
              {
                id: 'settings-account',
                path: 'account',
                ...page('settings/account-page.tsx', ['settings', 'programs'], { crumb: 'nav.settingsAccount' }),
              },
              {
                id: 'settings-profile',
                path: 'profile',
                ...page('settings/profile-page.tsx', ['settings', 'notifications'], { crumb: 'nav.settingsProfile' }),
              },
            ],
          },
          {
            id: 'simulator',
            path: 'simulator',
            ...page('simulator/page.tsx', ['simulator'], { crumb: 'nav.simulator', needs: 'sandbox:use' }),
          },
          { id: 'org-not-found', path: '*', ...nowhere },
        ]),
      },
      { id: 'stats-alias', path: ':id/:slug/stats', ...alias(paths.stats) },
      { id: 'integrations-alias', path: ':id/:slug/integrations', ...alias(paths.integrations) },
      { id: 'settings-alias', path: ':id/:slug/settings', ...alias(paths.settings) },
      { id: 'product-templates', path: `:id/template/${PRODUCT_KEY}`, ...alias(paths.templates) },
      { id: 'flow-alias', path: ':id/flow/:idFlow', ...alias((slug, { idFlow = '' }) => paths.flow(slug, idFlow)) },
      { id: 'not-found', path: '*', ...nowhere },
    ],
  },
]
