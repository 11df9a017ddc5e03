const part = encodeURIComponent

/** Queries of an organization's address that open a dialog there. */
export const inviteQuery = 'invite'
export const keysQuery = 'keys'
export const ssoQuery = 'sso'

/** All addresses of the product's pages; no component writes a path by hand. */
export const paths = {
  home: () => '/',
  /** Sign-in for a person who is signed in by an organization's provider and wants to sign in by their own means. */
  ownLogin: (returnTo: string) => `/login?own=1&returnTo=${part(returnTo)}`,
  login: (returnTo?: string) => (returnTo ? `/login?returnTo=${part(returnTo)}` : '/login'),
  secondStep: (returnTo?: string) =>
    returnTo ? `/login/second-step?returnTo=${part(returnTo)}` : '/login/second-step',
  /** The page on which a member sets up the second factor that an organization demands. */
  secondFactorSetup: (org: string) => `/org/${part(org)}/second-factor`,
  orgLogin: (slug: string, returnTo?: string) =>
    `/org/${part(slug)}/login${returnTo ? `?returnTo=${part(returnTo)}` : ''}`,
  /** Target of the link in the mail that confirms the deletion of an account. */
  deleteAccount: (token: string) => `/delete-account?token=${part(token)}`,
  organizations: () => '/organizations',
  /** All accounts, for site administrators. */
  siteAdmin: () => '/admin',
  companyCreation: () => '/company-creation',
  /** `need`: the missing capability, so that the page can say who has it. */
  unauthorized: (need?: string) => (need ? `/unauthorized?need=${part(need)}` : '/unauthorized'),
  invitation: (org: string, id?: string) => `/org/${part(org)}/invitation${id ? `?id=${part(id)}` : ''}`,
  org: (slug: string) => `/org/${part(slug)}`,
  /** With the invitation dialog open. */
  invite: (slug: string) => `/org/${part(slug)}?${inviteQuery}`,
  /** With the dialog of API keys open. */
  apiKeys: (slug: string) => `/org/${part(slug)}?${keysQuery}`,
  /** With the dialog of single sign-on open. */
  sso: (slug: string) => `/org/${part(slug)}?${ssoQuery}`,
  teams: (slug: string) => `/org/${part(slug)}?tab=teams`,
  deliveries: (slug: string) => `/org/${part(slug)}/deliveries`,
  apiCalls: (slug: string, keyId?: string) => `/org/${part(slug)}/api-calls${keyId ? `?key=${part(keyId)}` : ''}`,
  audit: (slug: string) => `/org/${part(slug)}/audit`,
  chats: (slug: string) => `/org/${part(slug)}/c`,
  chat: (slug: string, phone: string) => `/org/${part(slug)}/c/${part(phone)}`,
  contacts: (slug: string) => `/org/${part(slug)}/contacts`,
  contactsOf: (slug: string, segment: string) => `${paths.contacts(slug)}?segment=${part(segment)}`,
  bulk: (slug: string) => `/org/${part(slug)}/c/masive`,
  bulkCreate: (slug: string) => `/org/${part(slug)}/c/masive/new`,
  bulkDraft: (slug: string, id: string) => `${paths.bulkCreate(slug)}?draft=${part(id)}`,
  bulkRepeat: (slug: string, id: string) => `${paths.bulkCreate(slug)}?repeat=${part(id)}`,
  /** A new bulk send to these numbers, digits only. */
  bulkTo: (slug: string, numbers: readonly string[]) => `${paths.bulkCreate(slug)}?to=${numbers.map(part).join(',')}`,
  bulkToSegment: (slug: string, segment: string) => `${paths.bulkCreate(slug)}?segment=${part(segment)}`,
  /** A new send with its template chosen. */
  bulkWith: (slug: string, template: string) => `${paths.bulkCreate(slug)}?template=${part(template)}`,
  bulkSend: (slug: string, id: string) => `/org/${part(slug)}/c/masive/${part(id)}`,
  templates: (slug: string) => `/org/${part(slug)}/template`,
  templateCreate: (slug: string) => `/org/${part(slug)}/template/create`,
  template: (slug: string, id: string) => `/org/${part(slug)}/template/${part(id)}`,
  templateEdit: (slug: string, id: string) => `/org/${part(slug)}/template/edit/${part(id)}`,
  flows: (slug: string) => `/org/${part(slug)}/flow`,
  flow: (slug: string, id: string) => `/org/${part(slug)}/flow/${part(id)}`,
  flowRuns: (slug: string, id: string) => `/org/${part(slug)}/flow/${part(id)}/runs`,
  /** `place`: the step to show. */
  flowRun: (slug: string, id: string, run: string, place?: number) =>
    `/org/${part(slug)}/flow/${part(id)}/runs/${part(run)}${place === undefined ? '' : `?step=${place}`}`,
  stats: (slug: string) => `/org/${part(slug)}/stats`,
  statsNow: (slug: string) => `/org/${part(slug)}/stats/now`,
  /** The page that a link in a report leads to. */
  statsUnsubscribe: (token: string) => `/unsubscribe/statistics?${new URLSearchParams({ token })}`,
  /** Messages that a figure counts. */
  statsMessages: (slug: string) => `/org/${part(slug)}/stats/messages`,
  statsConversations: (slug: string) => `/org/${part(slug)}/stats/conversations`,
  integrations: (slug: string) => `/org/${part(slug)}/integrations`,
  imports: (slug: string) => `/org/${part(slug)}/integrations/imports`,
  webhooks: (slug: string) => `/org/${part(slug)}/integrations#outgoing-webhooks`,
  settings: (slug: string) => `/org/${part(slug)}/settings`,
  settingsOf: (
    slug: string,
    page:
      | 'organization'
      | 'attention'
      | 'hours'
      | 'contacts'
      | 'security'
      | 'data'
      | 'danger'
      | 'whatsapp'
      | 'prices'
      | 'tags'
      | 'answers'
      | 'account'
      | 'profile'
      | 'notifications',
  ) => `/org/${part(slug)}/settings/${page}`,
  /**
   * A page of its own, the only one where Meta's script may run. Enter and leave it with a full page load, not the
   * router.
   */
  facebook: (slug: string) => `/org/${part(slug)}/settings/whatsapp/facebook`,
  simulator: (slug: string) => `/org/${part(slug)}/simulator`,
  /** The simulator's imitation of Meta's dialog. */
  simulatedDialog: (slug: string) => `/org/${part(slug)}/simulator/signup`,
  apiDocs: () => '/api/docs',
  /** A page of the manual, at a heading. */
  manual: (page: string, heading: string) => `/docs/${page}#${heading}`,
} as const

/**
 * Accepts only an address inside this site: `//x`, `\x`, `https:` and control characters are refused. Non-ASCII
 * characters are encoded, for use in a header.
 */
export const safeReturnTo = (value: string | null | undefined): string | undefined => {
  if (!value || !/^\/(?![/\\])/.test(value)) return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these and could see `//` after it
  if (/[\u0000-\u001f\u007f\\]/.test(value)) return undefined
  return value.toWellFormed().replace(/[^\u0021-\u007e]+/g, encodeURIComponent)
}
