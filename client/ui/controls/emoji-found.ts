import type { EmojiData } from 'frimousse'

type Emoji = EmojiData['emojis'][number]

/** By name before keywords, as frimousse 0.4 ranks what it lists. 0: not found. */
const rankOf = ({ label, tags }: Emoji, words: string): number =>
  (label.toLowerCase().includes(words) ? 10 : 0) + tags.filter(tag => tag.toLowerCase().includes(words)).length

/** The emoji that stands first in the list of a search. */
export function firstFound({ categories, emojis }: EmojiData, search: string): Emoji | undefined {
  const words = search.toLowerCase().trim()
  for (const { index } of categories) {
    let first: Emoji | undefined
    let best = 0
    for (const emoji of emojis) {
      const rank = emoji.category === index ? rankOf(emoji, words) : 0
      if (rank > best) [first, best] = [emoji, rank]
    }
    if (first) return first
  }
  return undefined
}
