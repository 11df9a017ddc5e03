import { useCallback, useSyncExternalStore } from 'react'

/** Drafts stay in this browser, by organization and chat: closing the tab loses nothing. */
const prefix = 'recado:draft:'
const keyOf = (slug: string, phone: string) => `${prefix}${slug}:${phone}`

const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

const readAll = (slug: string): Record<string, string> => {
  const found: Record<string, string> = {}
  const start = `${prefix}${slug}:`
  try {
    for (let i = 0; i < localStorage.length; i += 1) {
      const key = localStorage.key(i)
      if (key?.startsWith(start)) found[key.slice(start.length)] = localStorage.getItem(key) ?? ''
    }
  } catch {
    return {} // Storage is forbidden here: drafts live as long as the field.
  }
  return found
}

const caches = new Map<string, Record<string, string>>()
const none: Record<string, string> = {}

const snapshot = (slug: string) => {
  let cached = caches.get(slug)
  if (!cached) {
    cached = readAll(slug)
    caches.set(slug, cached)
  }
  return cached
}

const subscribe = (listener: () => void) => {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key?.startsWith(prefix)) {
      caches.clear()
      listener()
    }
  }
  listeners.add(listener)
  window.addEventListener('storage', fromOtherTab)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', fromOtherTab)
  }
}

export const readDraft = (slug: string, phone: string): string => snapshot(slug)[phone] ?? ''

export function writeDraft(slug: string, phone: string, text: string): void {
  const next = { ...snapshot(slug) }
  if (text.trim()) next[phone] = text
  else delete next[phone]
  caches.set(slug, next)
  try {
    if (text.trim()) localStorage.setItem(keyOf(slug, phone), text)
    else localStorage.removeItem(keyOf(slug, phone))
  } catch {
    // Full or forbidden storage: the draft still lives in this tab.
  }
  tell()
}

/** All drafts of an organization by chat; none on the server and during hydration. */
export const useDrafts = (slug: string): Record<string, string> =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => snapshot(slug), [slug]),
    () => none,
  )
