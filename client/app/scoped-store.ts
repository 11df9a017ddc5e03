import { useCallback, useRef, useSyncExternalStore } from 'react'

/** Where a store's values outlive the page. */
export interface Storing<T> {
  /** What every key of it begins with. */
  readonly prefix: string
  /** Which value a key belongs to, told by what stands behind the prefix. */
  scopeOf(rest: string): string
  /** May throw, as may `save`: storage can be forbidden, full, or hold what nobody here wrote. */
  load(scope: string): T
  save(scope: string, value: T, before: T): void
}

export interface ScopedStore<T> {
  read(scope: string): T
  write(scope: string, value: T): void
  /** The next look reads the storage anew: another tab may have changed it. What the storage did not take stays. */
  forget(scope: string): void
  /** Told after each change, here or in another tab, without being drawn again. @returns how to be told no more */
  listen(listener: () => void): () => void
  /**
   * Drawn again when it changes, here or in another tab; nothing on the server and during hydration. `isSame`: of two
   * values, whether this part draws the same of both; then it keeps the first. The same function as long as it decides so.
   */
  use(scope: string, isSame?: (before: T, after: T) => boolean): T
}

/** One value for each scope, such as an organization, known to every part of the page that draws it. */
export function createScopedStore<T extends object>(nothing: T, storing?: Storing<T>): ScopedStore<T> {
  const kept = new Map<string, T>()
  /** What the storage did not take, being full or forbidden: it is nowhere else. */
  const unsaved = new Set<string>()
  const listeners = new Set<() => void>()

  const load = (scope: string): T => {
    try {
      const loaded = storing?.load(scope) ?? nothing
      // The same as before there was a storage: what is drawn stays as it is.
      return Object.keys(loaded).length ? loaded : nothing
    } catch {
      return nothing
    }
  }
  const read = (scope: string): T => {
    const value = kept.has(scope) ? (kept.get(scope) as T) : load(scope)
    kept.set(scope, value)
    return value
  }
  const subscribe = (listener: () => void) => {
    const fromOtherTab = ({ key }: StorageEvent) => {
      if (!storing || !key?.startsWith(storing.prefix)) return
      kept.delete(storing.scopeOf(key.slice(storing.prefix.length)))
      listener()
    }
    listeners.add(listener)
    window.addEventListener('storage', fromOtherTab)
    return () => {
      listeners.delete(listener)
      window.removeEventListener('storage', fromOtherTab)
    }
  }
  const useScope = (scope: string, isSame?: (before: T, after: T) => boolean): T => {
    const shown = useRef<{ readonly scope: string; readonly value: T } | undefined>(undefined)
    return useSyncExternalStore(
      subscribe,
      useCallback(() => {
        const value = read(scope)
        if (shown.current?.scope !== scope || !isSame?.(shown.current.value, value)) shown.current = { scope, value }
        return shown.current.value
      }, [scope, isSame]),
      () => nothing,
    )
  }
  return {
    read,
    write(scope, value) {
      const before = read(scope)
      kept.set(scope, value)
      try {
        storing?.save(scope, value, before)
        unsaved.delete(scope)
      } catch {
        // It lives as long as the tab.
        unsaved.add(scope)
      }
      for (const listener of listeners) listener()
    },
    forget(scope) {
      if (!unsaved.has(scope)) kept.delete(scope)
    },
    listen: subscribe,
    use: useScope,
  }
}
