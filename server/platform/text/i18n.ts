import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import i18next, { type i18n as I18n } from 'i18next'
import { isolated } from '#shared/kernel/bidi.ts'
import { fallbackLanguage, type Language, languages, toLanguage } from '#shared/kernel/language.ts'

type Texts = Readonly<Record<string, unknown>>
export type Translate = (key: string, params?: Readonly<Record<string, unknown>>) => string

export interface ServerI18n {
  /** `errors:APP_FORBIDDEN` in a language; the key's last part when no language has it. */
  translator(language: Language): Translate
  /** For rendering a page: fixed to its language for ever, so that no visitor changes another's. */
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
    // React and `html` escape, see `isolated`; `{{- name}}` takes a value as it is, for what is not shown but kept.
    interpolation: { escapeValue: true, escape: isolated },
    react: { useSuspense: false },
    initAsync: false,
  })
  keepPlainTexts(instance)
  return instance
}

/** More than there are texts; a key made of data must not grow it for ever. */
const maxKept = 2_000

type FixedT = ReturnType<I18n['getFixedT']>

/** What a text is kept under: its key, or its key and the one count in it; undefined where it says anything else. */
const keptAs = (key: unknown, params: unknown, isAlone: boolean): string | undefined => {
  if (typeof key !== 'string') return undefined
  if (isAlone) return key
  if (typeof params !== 'object' || params === null) return undefined
  const { count, ...others } = params as { count?: unknown }
  return typeof count === 'number' && Object.keys(others).length === 0 ? `${key}\n${count}` : undefined
}

/**
 * A page asks for the same hundred texts again and again, and each asking walks i18next's resolution. A fixed language
 * and fixed texts let the plain ones (a key, at most with a count) be kept.
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

/** Reads all texts once. One instance per language, never switched: the module's singleton would be everybody's. */
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
 * The visitor's language as far as a request tells: query `lng`, cookie, browser; else English. Local and session
 * storage stand between cookie and browser; the browser itself looks there.
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
