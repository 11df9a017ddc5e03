import type { EmojiData } from 'frimousse'
import type { Language } from '#shared/kernel/language.ts'

/** The data that `vite.config.ts` writes: emoji, category, name, keywords, and its five skin tones. */
export interface PackedEmojis {
  categories: EmojiData['categories']
  emojis: [emoji: string, category: number, label: string, tags: string, tones?: string][]
}

const sources: Readonly<Record<Language, () => Promise<{ default: PackedEmojis }>>> = {
  es: () => import('virtual:emojis/es'),
  en: () => import('virtual:emojis/en'),
}
const tones = ['light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const

const withTones = (packed: string) => {
  const signs = packed.split('|')
  return Object.fromEntries(tones.map((tone, i) => [tone, signs[i] ?? ''])) as Record<(typeof tones)[number], string>
}

/** All emojis with their names in a language, in Unicode's order and groups. @throws if they cannot be loaded */
export const loadEmojis = async (language: Language): Promise<EmojiData> => {
  const { categories, emojis } = (await sources[language]()).default
  return {
    locale: language,
    categories,
    skinTones: withTones('🏻|🏼|🏽|🏾|🏿'),
    emojis: emojis.map(([emoji, category, label, tags, skins]) => ({
      emoji,
      category,
      label,
      version: 0,
      tags: tags ? tags.split('|') : [],
      ...(skins ? { skins: withTones(skins) } : {}),
    })),
  }
}
