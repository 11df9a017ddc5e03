import type { RouteObject } from 'react-router'
import { MissingChat } from '#client/inbox/thread/missing-chat.tsx'
import type { TitleKey } from '#client/shell/navigation.ts'
import type { Capability } from '#shared/kernel/permissions.ts'
import { nowhere, type PageHandle, page } from './page-route.tsx'

/** A page about the organization itself; its address says which cards it has. */
const organizationSettings = (crumb?: TitleKey, needs?: Capability) =>
  page('settings/organization-page.tsx', ['settings', 'org-settings', 'orgs'], {
    ...(crumb ? { crumb } : {}),
    ...(needs ? { needs } : {}),
  })

/** The pages of settings, below `/org/{slug}/settings`. */
const settingsRoutes: RouteObject[] = [
  { id: 'settings-start', index: true, ...organizationSettings() },
  { id: 'settings-organization', path: 'organization', ...organizationSettings('nav.settingsGeneral') },
  {
    id: 'settings-attention',
    path: 'attention',
    ...organizationSettings('nav.settingsAttention', 'org:update'),
  },
  { id: 'settings-hours', path: 'hours', ...organizationSettings('nav.settingsHours', 'org:update') },
  { id: 'settings-contacts', path: 'contacts', ...organizationSettings('nav.settingsContacts', 'org:update') },
  { id: 'settings-security', path: 'security', ...organizationSettings('nav.settingsSecurity', 'security:manage') },
  { id: 'settings-data', path: 'data', ...organizationSettings('nav.settingsData', 'org:update') },
  { id: 'settings-danger', path: 'danger', ...organizationSettings('nav.settingsDanger', 'org:delete') },
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
    ...page('settings/profile-page.tsx', ['settings'], { crumb: 'nav.settingsProfile' }),
  },
  {
    id: 'settings-notifications',
    path: 'notifications',
    ...page('settings/notifications-page.tsx', ['settings', 'notifications'], { crumb: 'nav.settingsNotifications' }),
  },
]

/** The pages of an organization, below `/org/{slug}`. */
export const organizationRoutes: RouteObject[] = [
  {
    id: 'admin',
    ...page('admin/page.tsx', ['admin', 'programs'], { crumb: 'nav.admin' }),
    children: [
      { id: 'people', index: true, ...page('admin/people-page.tsx', [], { crumb: 'people' }) },
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
    ],
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
          crumb: 'bulkSend',
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
        ...page('templates/template-page.tsx', ['templates'], { crumb: 'template', needs: 'chat:read' }),
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
          crumb: 'flow',
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
    children: settingsRoutes,
  },
  {
    id: 'simulator',
    path: 'simulator',
    ...page('simulator/page.tsx', ['simulator'], { crumb: 'nav.simulator', needs: 'sandbox:use' }),
  },
  { id: 'org-not-found', path: '*', ...nowhere },
]
