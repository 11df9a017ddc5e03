import type { IconName } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { type Capability, effectiveRole, roleCan } from '#shared/kernel/permissions.ts'

/** A key of the namespace `shell`. */
export type TitleKey = `nav.${
  | 'work'
  | 'manage'
  | 'chat'
  | 'contacts'
  | 'bulk'
  | 'bulkCreate'
  | 'bulkSend'
  | 'templates'
  | 'template'
  | 'templateCreate'
  | 'templateEdit'
  | 'flows'
  | 'flow'
  | 'flowRuns'
  | 'flowRun'
  | 'stats'
  | 'statsConversations'
  | 'statsNow'
  | 'statsMessages'
  | 'integrations'
  | 'imports'
  | 'settings'
  | 'settingsOrganization'
  | 'settingsGeneral'
  | 'settingsAttention'
  | 'settingsHours'
  | 'settingsContacts'
  | 'settingsSecurity'
  | 'settingsData'
  | 'settingsDanger'
  | 'settingsWhatsapp'
  | 'settingsFacebook'
  | 'settingsPrices'
  | 'settingsTags'
  | 'settingsAnswers'
  | 'settingsAccount'
  | 'settingsProfile'
  | 'settingsNotifications'
  | 'admin'
  | 'apiCalls'
  | 'deliveries'
  | 'audit'
  | 'simulator'}`

export interface NavigationItem {
  readonly title: TitleKey
  readonly icon: IconName
  /** The capability that the page requires. If absent, every member may open it. */
  readonly capability?: Capability
  /** Only in installations with the simulator. */
  readonly sandbox?: true
  url(slug: string): string
  readonly items?: readonly NavigationItem[]
}

interface NavigationGroup {
  readonly title: TitleKey
  readonly items: readonly NavigationItem[]
}

const bulk: NavigationItem = { title: 'nav.bulk', icon: 'send', capability: 'bulk:send', url: paths.bulk }
const chat: NavigationItem = {
  title: 'nav.chat',
  icon: 'chat',
  capability: 'chat:read',
  url: paths.chats,
  items: [bulk],
}
const contacts: NavigationItem = {
  title: 'nav.contacts',
  icon: 'person',
  capability: 'chat:read',
  url: paths.contacts,
}
const templates: NavigationItem = {
  title: 'nav.templates',
  icon: 'form',
  capability: 'chat:read',
  url: paths.templates,
  items: [{ title: 'nav.templateCreate', icon: 'plus', capability: 'template:edit', url: paths.templateCreate }],
}
const flows: NavigationItem = { title: 'nav.flows', icon: 'flow', capability: 'chat:read', url: paths.flows }
const stats: NavigationItem = { title: 'nav.stats', icon: 'chart', capability: 'stats:open', url: paths.stats }
const integrations: NavigationItem = {
  title: 'nav.integrations',
  icon: 'plug',
  capability: 'integration:manage',
  url: paths.integrations,
}
const settings: NavigationItem = {
  title: 'nav.settings',
  icon: 'gear',
  url: paths.settings,
  items: [
    { title: 'nav.settingsOrganization', icon: 'building', url: slug => paths.settingsOf(slug, 'organization') },
    {
      title: 'nav.settingsWhatsapp',
      icon: 'phone',
      capability: 'connection:read',
      url: slug => paths.settingsOf(slug, 'whatsapp'),
    },
    {
      title: 'nav.settingsPrices',
      icon: 'chart',
      capability: 'org:update',
      url: slug => paths.settingsOf(slug, 'prices'),
    },
    { title: 'nav.settingsTags', icon: 'tag', capability: 'chat:read', url: slug => paths.settingsOf(slug, 'tags') },
    {
      title: 'nav.settingsAnswers',
      icon: 'slash',
      capability: 'chat:reply',
      url: slug => paths.settingsOf(slug, 'answers'),
    },
    { title: 'nav.settingsAccount', icon: 'lock', url: slug => paths.settingsOf(slug, 'account') },
    { title: 'nav.settingsProfile', icon: 'person', url: slug => paths.settingsOf(slug, 'profile') },
  ],
}
const admin: NavigationItem = {
  title: 'nav.admin',
  icon: 'building',
  url: paths.org,
  items: [
    { title: 'nav.audit', icon: 'clock', capability: 'audit:read', url: paths.audit },
    { title: 'nav.apiCalls', icon: 'plug', capability: 'integration:manage', url: slug => paths.apiCalls(slug) },
    { title: 'nav.deliveries', icon: 'clock', capability: 'integration:manage', url: paths.deliveries },
  ],
}
const simulator: NavigationItem = {
  title: 'nav.simulator',
  icon: 'phone',
  capability: 'sandbox:use',
  sandbox: true,
  url: paths.simulator,
}

const navigation: readonly NavigationGroup[] = [
  { title: 'nav.work', items: [chat, contacts, templates, flows, stats, simulator] },
  { title: 'nav.manage', items: [integrations, settings, admin] },
]

/** The six sections of the sidebar. */
const sections = [chat, templates, flows, stats, integrations, settings]

interface Reader {
  /** The user's role in the organization. */
  readonly role: string
  readonly sandbox: boolean
}

const isFor = ({ role, sandbox }: Reader) => {
  const known = effectiveRole(role)
  return (item: NavigationItem): boolean =>
    (item.capability === undefined || roleCan(known, item.capability)) && (!item.sandbox || sandbox)
}

/** The sections a member may open. */
export const sectionsFor = (role: string): readonly NavigationItem[] => sections.filter(isFor({ role, sandbox: false }))

/** The sidebar's links in the order of a day's work: the six sections, with the contacts after the chats. */
export const linksFor = (role: string): readonly NavigationItem[] =>
  sections.flatMap(item => (item === chat ? [chat, contacts] : [item])).filter(isFor({ role, sandbox: false }))

/** Returns the pages of a section that have a link below it. */
export const pagesBelow = (section: NavigationItem, role: string): readonly NavigationItem[] =>
  section === chat ? [bulk].filter(isFor({ role, sandbox: false })) : []

/** Links below the others. */
export const extrasFor = (reader: Reader): readonly NavigationItem[] => [admin, simulator].filter(isFor(reader))

/** True if the page is the item's or below it, and has no link of its own. */
export const isWithin = (pathname: string, item: NavigationItem, slug: string): boolean => {
  const url = item.url(slug)
  // The organization page's address is a prefix of all others.
  if (item === admin)
    return [url, ...(item.items ?? []).map(one => one.url(slug))].includes(pathname.replace(/\/$/, ''))
  if (item === chat && isWithin(pathname, bulk, slug)) return false
  return pathname === url || pathname.startsWith(`${url}/`)
}

/** The navigation a member may use, without empty groups. */
export const navigationFor = (reader: Reader): readonly NavigationGroup[] => {
  const may = isFor(reader)
  return navigation
    .map(({ title, items }) => ({
      title,
      items: items.filter(may).map(item => (item.items ? { ...item, items: item.items.filter(may) } : item)),
    }))
    .filter(({ items }) => items.length > 0)
}

/** A member's first page: the chats, or the first section the role may open. */
export const landingOf = ({ slug, role }: { slug: string; role: string }): string =>
  (sectionsFor(role)[0] ?? settings).url(slug)

/**
 * Returns the address of the same section in another organization. Deeper pages (a chat, a template) exist only in the
 * first one. Returns the landing page if the user's role there may not open the section.
 */
export const sameSection = (pathname: string, org: { slug: string; role: string }): string => {
  const [, , , first, second] = pathname.split('/')
  if (first === undefined || first === '') return paths.org(org.slug)
  const section = [...sections, contacts]
    .filter(isFor({ role: org.role, sandbox: false }))
    .find(({ url }) => url('x').split('/')[3] === first)
  if (!section) return landingOf(org)
  const page = section.items?.find(({ url }) => url('x').split('/')[4] === second)
  return isFor({ role: org.role, sandbox: false })(page ?? section)
    ? (page ?? section).url(org.slug)
    : section.url(org.slug)
}
