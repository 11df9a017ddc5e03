import { recall } from '#client/ui/page/remember.ts'

const key = 'palette:recent'
const kept = 4

/** The ids of the commands chosen last in this browser, newest first. */
export const recentCommands = (): readonly string[] => recall(key)?.split('\n').filter(Boolean) ?? []

export const keepRecent = (id: string): void => {
  const ids = [id, ...recentCommands().filter(other => other !== id)].slice(0, kept)
  try {
    localStorage.setItem(key, ids.join('\n'))
  } catch {
    // Some private windows forbid storage.
  }
}
