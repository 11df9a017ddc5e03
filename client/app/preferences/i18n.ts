import i18next, { type i18n as I18n, type ResourceLanguage } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { cookieOf, recall, remember } from '#client/ui/page/remember.ts'
import { isolated } from '#shared/kernel/bidi.ts'
import { type Language, languages, toLanguage } from '#shared/kernel/language.ts'
import { languageKey } from './preference.ts'

/** The namespaces that every page needs. */
export const commonNamespaces = ['common', 'shell'] as const

interface BrowserTexts {
  readonly language: Language
  readonly version: string
  /** The texts that the page's HTML contains. */
  readonly resources: Record<string, ResourceLanguage[string]>
}

/** The browser's i18next: starts with the page's texts and fetches other namespaces when a page needs them. */
export const createBrowserI18n = async ({ language, version, resources }: BrowserTexts): Promise<I18n> => {
  const instance = i18next.createInstance()
  instance.use(initReactI18next).use({
    type: 'backend',
    init: () => undefined,
    read(lng: string, ns: string, done: (error: unknown, texts: ResourceLanguage[string] | null) => void) {
      fetch(`/locales/${lng}/${ns}.json?v=${version}`)
        .then(response => (response.ok ? response.json() : Promise.reject(new Error(`locales ${response.status}`))))
        .then(
          texts => done(null, texts),
          error => done(error, null),
        )
    },
  })
  await instance.init({
    lng: language,
    // Both languages have the same keys (a test checks this), so a fallback language is never fetched.
    fallbackLng: false,
    supportedLngs: [...languages],
    load: 'languageOnly',
    ns: Object.keys(resources),
    defaultNS: 'common',
    partialBundledLanguages: true,
    resources: { [language]: resources },
    // React and `html` escape, see `isolated`. `{{- name}}` inserts a value unchanged, for values that are stored and
    // not shown.
    interpolation: { escapeValue: true, escape: isolated },
    react: { useSuspense: true },
    initAsync: false,
  })
  return instance
}

/** Stored first, so that the next visit uses it even if the person leaves before the texts arrive. */
export const chooseLanguage = async (instance: I18n, language: Language): Promise<void> => {
  remember(languageKey, language)
  await instance.changeLanguage(language)
}

/**
 * Returns the stored language if the server did not see it, because the cookie was deleted, or set while the page was
 * loading. Returns `undefined` if the page already has the right language. Looks in the query, the cookie, local
 * storage and session storage, in this order.
 */
export const unseenLanguage = (shown: Language): Language | undefined => {
  if (toLanguage(new URLSearchParams(location.search).get('lng'))) return undefined
  const chosen =
    toLanguage(cookieOf(languageKey)) ?? toLanguage(recall(languageKey)) ?? toLanguage(sessionItem(languageKey))
  return chosen === shown ? undefined : chosen
}

const sessionItem = (name: string): string | null => {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}
