import type { Language } from '#shared/kernel/language.ts'

const formats: Readonly<Record<Language, Intl.NumberFormat>> = {
  es: new Intl.NumberFormat('es', { notation: 'compact', maximumFractionDigits: 1 }),
  en: new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }),
}

/** A count in few letters: `999`, `1,3 mil`; in English `1.3K`. `more`: there are more than were counted. */
export const shortCount = (count: number, language: Language, more = false): string =>
  `${count < 1000 ? count : formats[language].format(count)}${more ? '+' : ''}`
