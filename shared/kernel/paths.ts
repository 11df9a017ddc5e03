import { PRODUCT_KEY } from './product.ts'

const part = encodeURIComponent

/** In the address of an organization: opens the dialog that invites somebody. */
export const inviteQuery = 'invite'

/** Every address of the product as a function; no component writes a path by hand. */
export const paths = {
  home: () => '/',
  /** The sign-in for somebody who is signed in by an organization's provider and wants to come in themself. */
  ownLogin: (returnTo: string) => `/login?own=1&returnTo=${part(returnTo)}`,
  login: (returnTo?: string) => (returnTo ? `/login?returnTo=${part(returnTo)}` : '/login'),
  /** The second step of signing in. */
  secondStep: (returnTo?: string) =>
    returnTo ? `/login/second-step?returnTo=${part(returnTo)}` : '/login/second-step',
  /** Where the second factor is set up that an organization demands. */
  secondFactorSetup: (org: string) => `/org/${part(org)}/second-factor`,
  orgLogin: (slug: string, returnTo?: string) =>
    `/org/${part(slug)}/login${returnTo ? `?returnTo=${part(returnTo)}` : ''}`,
  /** Where the link in the mail leads that asks whether an account shall be deleted. */
  deleteAccount: (token: string) => `/delete-account?token=${part(token)}`,
  organizations: () => '/organizations',
  /** Everybody with an account, for administrators of the site. */
  siteAdmin: () => '/admin',
  companyCreation: () => '/company-creation',
  /** `need`: the right that was missing, so that the page can say who gives it. */
  unauthorized: (need?: string) => (need ? `/unauthorized?need=${part(need)}` : '/unauthorized'),
  invitation: (org: string, id?: string) => `/org/${part(org)}/invitation${id ? `?id=${part(id)}` : ''}`,
  org: (slug: string) => `/org/${part(slug)}`,
  /** The same, with the dialog that invites somebody. */
  invite: (slug: string) => `/org/${part(slug)}?${inviteQuery}`,
  apiCalls: (slug: string, keyId?: string) => `/org/${part(slug)}/api-calls${keyId ? `?key=${part(keyId)}` : ''}`,
  audit: (slug: string) => `/org/${part(slug)}/audit`,
  chats: (slug: string) => `/org/${part(slug)}/c`,
  chat: (slug: string, phone: string) => `/org/${part(slug)}/c/${part(phone)}`,
  contacts: (slug: string) => `/org/${part(slug)}/contacts`,
  bulk: (slug: string) => `/org/${part(slug)}/c/masive`,
  bulkCreate: (slug: string) => `/org/${part(slug)}/c/masive/new`,
  bulkDraft: (slug: string, id: string) => `${paths.bulkCreate(slug)}?draft=${part(id)}`,
  bulkRepeat: (slug: string, id: string) => `${paths.bulkCreate(slug)}?repeat=${part(id)}`,
  bulkSend: (slug: string, id: string) => `/org/${part(slug)}/c/masive/${part(id)}`,
  templates: (slug: string) => `/org/${part(slug)}/template`,
  templateCreate: (slug: string) => `/org/${part(slug)}/template/create`,
  template: (slug: string, id: string) => `/org/${part(slug)}/template/${part(id)}`,
  templateEdit: (slug: string, id: string) => `/org/${part(slug)}/template/edit/${part(id)}`,
  productTemplates: (slug: string) => `/${part(slug)}/template/${PRODUCT_KEY}`,
  flows: (slug: string) => `/org/${part(slug)}/flow`,
  flow: (slug: string, id: string) => `/org/${part(slug)}/flow/${part(id)}`,
  flowRuns: (slug: string, id: string) => `/org/${part(slug)}/flow/${part(id)}/runs`,
  /** `place`: the step that is meant. */
  flowRun: (slug: string, id: string, run: string, place?: number) =>
    `/org/${part(slug)}/flow/${part(id)}/runs/${part(run)}${place === undefined ? '' : `?step=${place}`}`,
  stats: (slug: string) => `/org/${part(slug)}/stats`,
  integrations: (slug: string) => `/org/${part(slug)}/integrations`,
  settings: (slug: string) => `/org/${part(slug)}/settings`,
  settingsOf: (slug: string, page: 'organization' | 'whatsapp' | 'tags' | 'answers' | 'account' | 'profile') =>
    `/org/${part(slug)}/settings/${page}`,
  /** A document of its own: only there may Meta's script run. Come and go by a new page, not by the router. */
  facebook: (slug: string) => `/org/${part(slug)}/settings/whatsapp/facebook`,
  simulator: (slug: string) => `/org/${part(slug)}/simulator`,
  /** The simulator's likeness of Meta's dialog. */
  simulatedDialog: (slug: string) => `/org/${part(slug)}/simulator/signup`,
  apiDocs: () => '/api/docs',
} as const

/**
 * Only an address inside this site, never another one: `//x`, `\x`, `https:` and control characters are refused. What
 * is beyond ASCII comes encoded, as a header must have it.
 */
export const safeReturnTo = (value: string | null | undefined): string | undefined => {
  if (!value || !/^\/(?![/\\])/.test(value)) return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these and could see `//` after it
  if (/[\u0000-\u001f\u007f\\]/.test(value)) return undefined
  return value.toWellFormed().replace(/[^\u0021-\u007e]+/g, encodeURIComponent)
}
