import { recall } from '../page/remember.ts'

const key = 'emoji:recent'
/** One row of the picker. */
const kept = 8

/** The emojis chosen last in this browser, newest first. */
export const recentEmojis = (): readonly string[] => recall(key)?.split(' ').filter(Boolean) ?? []

export const keepRecentEmoji = (emoji: string): void => {
  const emojis = [emoji, ...recentEmojis().filter(other => other !== emoji)].slice(0, kept)
  try {
    localStorage.setItem(key, emojis.join(' '))
  } catch {
    // Some private windows forbid storage.
  }
}
