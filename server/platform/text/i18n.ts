import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import i18next, { type i18n as I18n } from 'i18next'
import { isolated } from '#shared/kernel/bidi.ts'
import { fallbackLanguage, type Language, languages, toLanguage } from '#shared/kernel/language.ts'

type Texts = Readonly<Record<string, unknown>>
export type Translate = (key: string, params?: Readonly<Record<string, unknown>>) => string

export interface ServerI18n {
  /** Translates `errors:APP_FORBIDDEN`; the key's last part if no language has it. */
  translator(language: Language): Translate
  /** An instance for rendering one page. Its language is fixed, so that visitors do not change each other's. */
  instance(language: Language): I18n
  /** JSON of one namespace; undefined when there is none. */
  json(language: string, namespace: string): string | undefined
  /** Changes with any text. */
  readonly version: string
  readonly namespaces: readonly string[]
}

const folder = fileURLToPath(new URL('../../../locales/', import.meta.url))

const readTexts = (language: Language): Record<string, Texts> =>
  Object.fromEntries(
    readdirSync(`${folder}${language}`)
      .filter(name => name.endsWith('.json'))
      .sort()
      .map(name => [name.slice(0, -5), JSON.parse(readFileSync(`${folder}${language}/${name}`, 'utf8')) as Texts]),
  )

const createInstance = (language: Language, resources: Record<string, Record<string, Texts>>): I18n => {
  const instance = i18next.createInstance()
  instance.init({
    lng: language,
    fallbackLng: fallbackLanguage,
    supportedLngs: [...languages],
    ns: Object.keys(resources[language] ?? {}),
    defaultNS: 'common',
    resources: resources as never,
    // React and `html` escape, see `isolated`; `{{- name}}` inserts a value unescaped, for texts that are stored and
    // not shown.
    interpolation: { escapeValue: true, escape: isolated },
    react: { useSuspense: false },
    initAsync: false,
  })
  keepPlainTexts(instance)
  return instance
}

/** More than there are texts. The limit is for keys that contain data. */
const maxKept = 2_000

type FixedT = ReturnType<I18n['getFixedT']>

/** Cache key of a text: its key, with its count if that is the only parameter. Undefined: not cached. */
const keptAs = (key: unknown, params: unknown, isAlone: boolean): string | undefined => {
  if (typeof key !== 'string') return undefined
  if (isAlone) return key
  if (typeof params !== 'object' || params === null) return undefined
  const { count, ...others } = params as { count?: unknown }
  return typeof count === 'number' && Object.keys(others).length === 0 ? `${key}\n${count}` : undefined
}

/**
 * Caches plain texts (a key, at most with a count). A page asks for the same hundred texts each time, and i18next resolves
 * each of them again.
 */
const keepPlainTexts = (instance: I18n): void => {
  const fixed = new Map<string, FixedT>()
  const getFixedT = instance.getFixedT.bind(instance) as (...args: unknown[]) => FixedT
  const keeping = (t: FixedT): FixedT => {
    const texts = new Map<unknown, unknown>()
    const ask = t as unknown as (...args: unknown[]) => unknown
    const kept = (...args: unknown[]) => {
      const name = args.length > 2 ? undefined : keptAs(args[0], args[1], args.length === 1)
      if (name === undefined) return ask(...args)
      const known = texts.get(name) ?? ask(...args)
      if (texts.size < maxKept) texts.set(name, known)
      return known
    }
    return Object.assign(kept, t) as unknown as FixedT
  }
  instance.getFixedT = ((...args: unknown[]) => {
    const name = JSON.stringify(args)
    const known = fixed.get(name) ?? keeping(getFixedT(...args))
    if (fixed.size < maxKept) fixed.set(name, known)
    return known
  }) as never
}

/** Reads all texts once. One instance for each language, because i18next's singleton would be shared by all visitors. */
export function createServerI18n(): ServerI18n {
  const resources = Object.fromEntries(languages.map(language => [language, readTexts(language)]))
  const printed = new Map<string, string>()
  const hash = createHash('sha256')
  for (const [language, namespaces] of Object.entries(resources))
    for (const [namespace, texts] of Object.entries(namespaces)) {
      const json = JSON.stringify(texts)
      printed.set(`${language}/${namespace}`, json)
      hash.update(`${language}/${namespace}:${json}`)
    }
  const instances = Object.fromEntries(
    languages.map(language => [language, createInstance(language, resources)]),
  ) as Record<Language, I18n>
  return {
    translator: language => {
      const { t } = instances[language]
      return (key, params) => t(key as never, params as never) as unknown as string
    },
    instance: language => instances[language],
    json: (language, namespace) => printed.get(`${language}/${namespace}`),
    version: hash.digest('base64url').slice(0, 10),
    namespaces: Object.keys(resources[fallbackLanguage] ?? {}),
  }
}

/** `es-AR,es;q=0.9,en;q=0.8` → the best language of the interface; undefined when none fits. */
const acceptedLanguage = (header: string | undefined): Language | undefined =>
  (header ?? '')
    .split(',')
    .map(part => {
      const [tag = '', ...params] = part.trim().split(';')
      const quality = Number(
        params
          .find(param => param.trim().startsWith('q='))
          ?.trim()
          .slice(2) ?? 1,
      )
      return { language: toLanguage(tag), quality: Number.isFinite(quality) ? quality : 0 }
    })
    .filter(one => one.language && one.quality > 0)
    .sort((a, b) => b.quality - a.quality)[0]?.language

/**
 * The visitor's language by query `lng`, cookie, browser, otherwise English. The browser's script also looks into local and
 * session storage, after the cookie.
 */
export const languageOf = (request: {
  query?: unknown
  cookies?: Readonly<Record<string, string | undefined>>
  headers: Readonly<Record<string, string | string[] | undefined>>
}): Language => {
  const asked = (request.query as { lng?: unknown } | undefined)?.lng
  const accept = request.headers['accept-language']
  return (
    toLanguage(asked) ??
    toLanguage(request.cookies?.i18next) ??
    acceptedLanguage(Array.isArray(accept) ? accept.join(',') : accept) ??
    fallbackLanguage
  )
}
