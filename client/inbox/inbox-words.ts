import type { i18n as I18n } from 'i18next'
import { useTranslation } from 'react-i18next'
import { createAttached } from '#client/app/queries/attached.ts'
import type { InboxT } from './words.ts'

const maxNumbers = 1_000

/** Texts with one number repeat often, such as hours left or unread counts. */
const nameOfUse = (key: unknown, values: readonly unknown[]): string | undefined => {
  if (typeof key !== 'string' || values.length > 1) return undefined
  if (!values.length) return key
  const [value, ...others] = Object.entries(values[0] ?? {})
  return value && !others.length && typeof value[1] === 'number' ? `${key} ${value[0]} ${value[1]}` : undefined
}

/**
 * Caches texts without values or with one number, because looking them up took a fifth of rendering a row or bubble.
 * Missing texts, before their file is loaded, are not cached.
 */
export const withKeptWords = (t: InboxT): InboxT => {
  const find = t as unknown as (key: unknown, ...values: unknown[]) => unknown
  const words = new Map<string, unknown>()
  const kept = (key: unknown, ...values: unknown[]) => {
    const name = nameOfUse(key, values)
    const known = name === undefined ? undefined : words.get(name)
    if (known !== undefined) return known
    const word = find(key, ...values)
    if (name !== undefined && word !== key && (!values.length || words.size < maxNumbers)) words.set(name, word)
    return word
  }
  return Object.assign(kept, t) as unknown as InboxT
}

const keptOf = createAttached<I18n, Map<string, InboxT>>()

/** The inbox's texts with a shared cache, for components that use many. */
export const useInboxWords = () => {
  const { t, i18n } = useTranslation('inbox')
  const byLanguage = keptOf.of(i18n) ?? new Map<string, InboxT>()
  const kept = byLanguage.get(i18n.language) ?? withKeptWords(t)
  byLanguage.set(i18n.language, kept)
  keptOf.attach(i18n, byLanguage)
  return { t: kept, i18n }
}
