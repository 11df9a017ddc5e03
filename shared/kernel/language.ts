/** Languages of the interface. */
export const languages = ['es', 'en'] as const
export type Language = (typeof languages)[number]
export const fallbackLanguage: Language = 'en'

export const isLanguage = (value: unknown): value is Language => value === 'es' || value === 'en'

/** `es-AR` becomes `es`; undefined: not a language of the interface. */
export const toLanguage = (tag: unknown): Language | undefined => {
  if (typeof tag !== 'string') return undefined
  const primary = tag.trim().toLowerCase().split(/[-_]/)[0]
  return isLanguage(primary) ? primary : undefined
}
