import type { RouteObject } from 'react-router'
import { ErrorPage } from '#client/shell/error-page.tsx'
import { allAfterPlace } from '#client/shell/place.ts'
import { RootLayout } from '#client/shell/root-layout.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { PRODUCT_KEY } from '#shared/kernel/product.ts'
import { organizationRoutes } from './organization-routes.tsx'
import { alias, nowhere, type PageHandle, page } from './page-route.tsx'

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
        children: allAfterPlace(organizationRoutes),
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
