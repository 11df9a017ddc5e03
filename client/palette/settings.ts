import type { IconName } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import type { Capability } from '#shared/kernel/permissions.ts'

interface Setting {
  /** A key below `setting` of the namespace `palette`, and below which its other words are found. */
  readonly name: SettingName
  readonly icon: IconName
  /** If absent, every member may open it. */
  readonly needs?: Capability
  url(slug: string): string
}

export type SettingName =
  | 'members'
  | 'teams'
  | 'keys'
  | 'sso'
  | 'organization'
  | 'details'
  | 'region'
  | 'hours'
  | 'assignment'
  | 'window-template'
  | 'contact-fields'
  | 'opt-outs'
  | 'demand'
  | 'erasures'
  | 'files'
  | 'retention'
  | 'export'
  | 'danger'
  | 'email'
  | 'password'
  | 'second-factor'
  | 'sessions'
  | 'programs'
  | 'delete'
  | 'person'
  | 'preferences'
  | 'notifications'
  | 'keyboard'
  | 'webhooks'

type SettingsPage = Parameters<typeof paths.settingsOf>[1]

/** A card of a settings page. `heading`: the id of its heading. */
const card = (page: SettingsPage, heading: string) => (slug: string) => `${paths.settingsOf(slug, page)}#${heading}`

/** The settings inside of pages that the palette finds, once a person types. */
export const settings: readonly Setting[] = [
  { name: 'members', icon: 'person', url: paths.org },
  { name: 'teams', icon: 'person', url: paths.teams },
  { name: 'keys', icon: 'plug', needs: 'integration:manage', url: paths.apiKeys },
  { name: 'sso', icon: 'lock', needs: 'sso:manage', url: paths.sso },
  { name: 'webhooks', icon: 'plug', needs: 'connection:manage', url: paths.webhooks },
  {
    name: 'organization',
    icon: 'building',
    needs: 'org:update',
    url: card('organization', 'organization'),
  },
  { name: 'details', icon: 'clock', needs: 'org:update', url: card('attention', 'details') },
  { name: 'region', icon: 'globe', needs: 'org:update', url: card('organization', 'region') },
  { name: 'hours', icon: 'clock', needs: 'org:update', url: card('hours', 'hours') },
  { name: 'assignment', icon: 'person', needs: 'org:update', url: card('attention', 'assignment') },
  { name: 'window-template', icon: 'clock', needs: 'org:update', url: card('attention', 'window-template') },
  { name: 'contact-fields', icon: 'form', needs: 'org:update', url: card('contacts', 'contact-fields') },
  { name: 'opt-outs', icon: 'chat', needs: 'org:update', url: card('contacts', 'opt-outs') },
  { name: 'demand', icon: 'lock', needs: 'security:manage', url: card('security', 'second-factor') },
  { name: 'erasures', icon: 'trash', needs: 'contact:erase', url: card('contacts', 'erasures') },
  { name: 'files', icon: 'file', needs: 'org:update', url: card('data', 'files') },
  { name: 'retention', icon: 'clock', needs: 'org:delete', url: card('data', 'retention') },
  { name: 'export', icon: 'file', needs: 'data:export', url: card('data', 'export') },
  { name: 'danger', icon: 'warn', needs: 'org:delete', url: card('danger', 'danger') },
  { name: 'email', icon: 'person', url: card('account', 'email') },
  { name: 'password', icon: 'lock', url: card('account', 'password') },
  { name: 'second-factor', icon: 'lock', url: card('account', 'second-factor') },
  { name: 'sessions', icon: 'screen', url: card('account', 'sessions') },
  { name: 'programs', icon: 'plug', url: card('account', 'programs') },
  { name: 'delete', icon: 'trash', url: card('account', 'delete') },
  { name: 'person', icon: 'person', url: card('profile', 'person') },
  { name: 'preferences', icon: 'globe', url: card('profile', 'preferences') },
  { name: 'notifications', icon: 'info', url: card('notifications', 'notice-settings') },
  { name: 'keyboard', icon: 'slash', url: card('profile', 'keyboard') },
]
