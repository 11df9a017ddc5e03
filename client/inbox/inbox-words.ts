import type { i18n as I18n } from 'i18next'
import { useTranslation } from 'react-i18next'
import { createAttached } from '#client/attached.ts'
import type { InboxT } from './words.ts'

/**
 * Looks a word without values up once: of what a row or a bubble costs to draw, a fifth was looking for the same few. One
 * that is not there, as before its file has come, is looked for again.
 */
export const withKeptWords = (t: InboxT): InboxT => {
  const find = t as unknown as (key: unknown, ...values: unknown[]) => unknown
  const words = new Map<unknown, unknown>()
  const kept = (key: unknown, ...values: unknown[]) => {
    if (values.length) return find(key, ...values)
    const known = words.get(key)
    if (known !== undefined) return known
    const word = find(key)
    if (word !== key) words.set(key, word)
    return word
  }
  return Object.assign(kept, t) as unknown as InboxT
}

const keptOf = createAttached<I18n, Map<string, InboxT>>()

/** The inbox's words where much is drawn with them: one function for all who draw, so that what is kept for it stays. */
export const useInboxWords = () => {
  const { t, i18n } = useTranslation('inbox')
  const byLanguage = keptOf.of(i18n) ?? new Map<string, InboxT>()
  const kept = byLanguage.get(i18n.language) ?? withKeptWords(t)
  byLanguage.set(i18n.language, kept)
  keptOf.attach(i18n, byLanguage)
  return { t: kept, i18n }
}
