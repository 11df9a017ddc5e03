import { bulkSendsApi } from './bulk-sends.ts'
import type { ClientOf } from './contract.ts'
import { emailChangeApi } from './email-change.ts'
import { inboxApi } from './inbox.ts'
import { invitationsApi } from './invitations.ts'
import { liveApi } from './live-log.ts'
import { mediaApi } from './media.ts'
import { membersApi } from './members.ts'
import { notificationsApi } from './notifications.ts'
import { numbersApi } from './numbers.ts'
import { orgSettingsApi } from './org-settings.ts'
import { orgsApi } from './orgs.ts'
import { passwordsApi } from './passwords.ts'
import { pushApi } from './push.ts'
import { sandboxApi } from './sandbox.ts'
import { secondFactorApi } from './second-factor.ts'
import { sessionsApi } from './sessions.ts'
import { statsApi } from './stats.ts'
import { tagsApi } from './tags.ts'
import { templatesApi } from './templates.ts'
import { visibilityApi } from './visibility.ts'

/** Every room's endpoints: the product's table of contents on the wire. */
export const api = {
  bulkSends: bulkSendsApi,
  orgs: orgsApi,
  members: membersApi,
  orgSettings: orgSettingsApi,
  invitations: invitationsApi,
  numbers: numbersApi,
  inbox: inboxApi,
  live: liveApi,
  media: mediaApi,
  notifications: notificationsApi,
  push: pushApi,
  sandbox: sandboxApi,
  passwords: passwordsApi,
  emailChange: emailChangeApi,
  secondFactor: secondFactorApi,
  sessions: sessionsApi,
  stats: statsApi,
  tags: tagsApi,
  templates: templatesApi,
  visibility: visibilityApi,
} as const

export type ApiRooms = typeof api
/** The one typed API that loaders and components ask; services on the server, `fetch` in the browser. */
export type Api = { readonly [R in keyof ApiRooms]: ClientOf<ApiRooms[R]> }
