import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { useSettled } from '#client/app/input/use-settled.ts'
import { nameOfNumber } from '#client/app/number-name.ts'
import { chooseLanguage } from '#client/app/preferences/i18n.ts'
import { themeChoices } from '#client/app/preferences/preference.ts'
import { chooseTheme } from '#client/app/preferences/theme-choice.ts'
import { numberedRows } from '#client/app/queries/paged-list.ts'
import { pagesFor } from '#client/app/queries/queries.ts'
import { usePages } from '#client/app/queries/use-paged-list.ts'
import { useSignOut } from '#client/shell/account/sign-out.tsx'
import { navigationFor } from '#client/shell/navigation.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { useSwitch } from '#client/shell/sidebar/switcher.tsx'
import { mayCreateOrg, useOrg, useViewer } from '#client/shell/viewer.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import { searchMaxChars } from '#shared/inbox/conversations.ts'
import { type FoundMessage, searchTextMinChars } from '#shared/inbox/message-search.ts'
import { languages } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { type Command, useOfferedCommands } from './page-commands.ts'
import { keyOf, rank } from './rank.ts'
import { keepRecent, recentCommands } from './recent.ts'
import { settings as allSettings } from './settings.ts'
import { synonymsOf } from './synonyms.ts'

export interface CommandGroup {
  readonly id: string
  readonly title: string
  readonly commands: readonly Command[]
}

const listedConversations = 8
const recentConversations = 3
/** Before something is typed, so that the pages below are in sight: the list shows seven rows. */
const firstActions = 3
const recentBelowActions = 2
const searchedFromChars = 2

/** Paged like every list of chats, so that the inbox updates all of them alike. */
const chatsQuery = (org: string, search: string) =>
  pagesFor(
    org,
    'inbox.listConversations',
    { query: { pageSize: listedConversations, ...(search ? { search } : {}) } },
    {
      first: 1,
      next: () => undefined,
      query: page => ({ page }),
      ...numberedRows,
    },
  )

/** The messages with the typed words, by chat. */
const foundQuery = (org: string, words: string) =>
  pagesFor(
    org,
    'inbox.searchMessages',
    { query: { q: words } },
    {
      first: '',
      next: () => undefined,
      query: () => ({}),
      rows: page => page.items,
      keyOf: (message: FoundMessage) => message.id,
      join: (_near, far, rows) => ({ ...far, items: [...rows] }),
    },
  )

/** The newest message of each chat that has the words, as a line to show and the place to open. */
const useFoundMessages = (search: string, mayAsk: boolean) => {
  const { slug } = useOrg()
  const { data, isPlaceholderData } = usePages({
    ...foundQuery(slug, search),
    enabled: mayAsk && search.length >= searchTextMinChars,
    placeholderData: before => before,
  })
  const found = new Map<string, { readonly id: string; readonly says: string }>()
  // Until the answer for these words arrives, `data` holds the messages for the words before.
  if (search.length < searchTextMinChars || isPlaceholderData) return found
  for (const { id, snippet, conversation } of data?.pages.flatMap(page => page.items) ?? [])
    if (!found.has(conversation.id)) found.set(conversation.id, { id, says: snippet.map(({ text }) => text).join('') })
  return found
}

/** Recent chats, or those that match the typed text. The server searches, so that every chat can be found. */
const useConversationCommands = (typed: string, mayAsk: boolean): readonly Command[] => {
  const org = useOrg()
  const navigate = useNavigate()
  const search = useSettled(typed.trim()).slice(0, searchMaxChars)
  const isSearching = search.length >= searchedFromChars
  const mayRead = mayAsk && roleCan(effectiveRole(org.role), 'chat:read')
  const found = useFoundMessages(search, mayRead)
  const { data, isPlaceholderData } = usePages({
    ...chatsQuery(org.slug, isSearching ? search : ''),
    enabled: mayRead,
    placeholderData: before => before,
  })
  const { data: waba } = useQuery(wabaQuery(org.slug))
  const rows = data?.pages.flatMap(page => page.items) ?? []
  /** With several of our numbers, a customer may be listed once for each. */
  const hintOf = ({ displayPhone, name, number }: (typeof rows)[number]) =>
    [displayPhone === name ? '' : displayPhone, number === undefined ? '' : nameOfNumber(waba?.numbers ?? [], number)]
      .filter(Boolean)
      .join(' · ') || undefined
  /** A chat found by its name or number opens at its end. A chat found by a message opens at that message. */
  const isNamed = ({ name, phone, displayPhone }: (typeof rows)[number]) =>
    rank(keyOf('', name), search, [phone, displayPhone]) > 0
  return rows.slice(0, typed.trim() ? listedConversations : recentConversations).map(row => {
    const message = isNamed(row) ? undefined : found.get(row.id)
    const url = paths.chat(org.slug, addressOfConversation(row))
    return {
      id: `chat ${row.id}`,
      title: row.name,
      icon: 'chat' as const,
      // Results the server found by a message or another spelling must not be filtered out here.
      keywords: [row.displayPhone, row.phone, ...(isSearching && !isPlaceholderData ? [typed] : [])],
      detail: message ? `«${message.says}»` : hintOf(row),
      run: () => void navigate(message ? `${url}?${new URLSearchParams({ around: message.id })}` : url),
    }
  })
}

const useOrganizationCommands = (): readonly Command[] => {
  const { t } = useTranslation('palette')
  const viewer = useViewer()
  const { site } = useFacts()
  const org = useOrg()
  const navigate = useNavigate()
  const go = useSwitch()
  const others = viewer.organizations.filter(other => other.id !== org.id)
  return [
    ...(roleCan(effectiveRole(org.role), 'member:manage')
      ? [
          {
            id: 'invite',
            title: t('invite', { name: org.name }),
            icon: 'person' as const,
            run: () => void navigate(paths.invite(org.slug)),
          },
        ]
      : []),
    ...others.map(other => ({
      id: `org ${other.id}`,
      title: t('organization', { name: other.name }),
      icon: 'globe' as const,
      keywords: [other.slug],
      run: () => void go(other),
    })),
    {
      id: 'orgs',
      title: t('allOrganizations'),
      icon: 'globe' as const,
      run: () => void navigate(paths.organizations()),
    },
    ...(mayCreateOrg(viewer, site)
      ? [
          {
            id: 'new org',
            title: t('createOrganization'),
            icon: 'plus' as const,
            run: () => void navigate(paths.companyCreation()),
          },
        ]
      : []),
  ]
}

const themeIcons = { light: 'sun', dark: 'moon', system: 'screen' } as const

const usePreferenceCommands = (): readonly Command[] => {
  const { t, i18n } = useTranslation('palette')
  const { t: shell } = useTranslation('shell')
  const signOut = useSignOut()
  return [
    ...themeChoices.map(choice => ({
      id: `theme ${choice}`,
      title: t(`theme.${choice}`),
      icon: themeIcons[choice],
      keywords: ['tema modo color theme mode dark light'],
      run: () => chooseTheme(choice),
    })),
    ...languages
      .filter(other => other !== i18n.language)
      .map(other => ({
        id: `language ${other}`,
        title: t(`language.${other}`),
        icon: 'globe' as const,
        keywords: ['idioma lengua language'],
        run: () => void chooseLanguage(i18n, other),
      })),
    {
      id: 'sign out',
      title: shell('account.signOut'),
      icon: 'exit' as const,
      keywords: ['salir logout log out exit'],
      run: () => void signOut(),
    },
  ]
}

const keywordsOf = (name: keyof typeof synonymsOf): readonly string[] => [synonymsOf[name] ?? '']

/** Parts of pages the person may open. */
const useSettingCommands = (): readonly Command[] => {
  const { t } = useTranslation('palette')
  const navigate = useNavigate()
  const { slug, role } = useOrg()
  return allSettings
    .filter(({ needs }) => needs === undefined || roleCan(effectiveRole(role), needs))
    .map(({ name, icon, url }) => ({
      id: `setting ${name}`,
      title: t(`setting.${name}`),
      icon,
      keywords: keywordsOf(name),
      run: () => void navigate(url(slug)),
    }))
}

/** Pages of the navigation the person may open, flattened. */
const usePageGroups = (): readonly CommandGroup[] => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { slug, role } = useOrg()
  const { data: waba } = useQuery(wabaQuery(slug))
  return navigationFor({ role, sandbox: waba?.kind === 'sandbox' }).map(group => ({
    id: group.title,
    title: t(group.title),
    commands: group.items
      .flatMap(item => [item, ...(item.items ?? [])])
      .map(item => ({
        id: item.title,
        title: t(item.title),
        icon: item.icon,
        keywords: keywordsOf(item.title),
        run: () => void navigate(item.url(slug)),
      })),
  }))
}

/** All commands available now, without empty groups. */
export function useCommandGroups(typed: string, mayAsk: boolean): readonly CommandGroup[] {
  const { t } = useTranslation('palette')
  const actions = useOfferedCommands()
  const pages = usePageGroups()
  const conversations = useConversationCommands(typed, mayAsk)
  const settings = useSettingCommands()
  const organizations = useOrganizationCommands()
  const preferences = usePreferenceCommands()
  const isTyped = typed.trim() !== ''
  return useMemo(() => {
    const lasting = [
      ...pages,
      { id: 'settings', title: t('group.settings'), commands: settings },
      { id: 'organizations', title: t('group.organizations'), commands: organizations },
      { id: 'preferences', title: t('group.preferences'), commands: preferences },
    ].map(group => ({
      ...group,
      commands: group.commands.map(command => ({
        ...command,
        run: () => {
          keepRecent(command.id)
          command.run()
        },
      })),
    }))
    const ids = isTyped ? [] : recentCommands().slice(0, actions.length ? recentBelowActions : undefined)
    const first = isTyped ? actions : actions.slice(0, firstActions)
    const all = lasting.flatMap(({ commands }) => commands)
    const recent = ids.flatMap(id => all.find(command => command.id === id) ?? [])
    const found = { id: 'conversations', title: t('group.conversations'), commands: conversations }
    const listed = lasting
      // Settings are listed only after something is typed: there are too many of them.
      .filter(({ id }) => isTyped || id !== 'settings')
      .map(group => ({ ...group, commands: group.commands.filter(({ id }) => !ids.includes(id)) }))
    const [places, others] = [listed.slice(0, pages.length), listed.slice(pages.length)]
    return [
      { id: 'actions', title: t('group.actions'), commands: first },
      { id: 'recent', title: t('group.recent'), commands: recent },
      // Where chats are on the page already, the pages come first.
      ...(isTyped || !actions.length ? [found, ...places] : [...places, found]),
      { id: 'moreActions', title: t('group.moreActions'), commands: actions.slice(first.length) },
      ...others,
    ].filter(group => group.commands.length > 0)
  }, [t, isTyped, actions, pages, conversations, settings, organizations, preferences])
}
