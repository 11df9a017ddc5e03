import { useCallback, useRef, useSyncExternalStore } from 'react'

/** Defines where a store keeps its values after the page closes. */
interface Storing<T> {
  /** The prefix of every storage key. */
  readonly prefix: string
  /** Returns the scope of a key. Gets the part of the key after the prefix. */
  scopeOf(rest: string): string
  /** May throw, like `save`: storage can be forbidden, full, or contain foreign data. */
  load(scope: string): T
  save(scope: string, value: T, before: T): void
}

interface ScopedStore<T> {
  read(scope: string): T
  write(scope: string, value: T): void
  /** The next read loads from storage again, because another tab may have changed it. Unsaved values stay. */
  forget(scope: string): void
  /** Calls back after each change, here or in another tab, without rendering. @returns how to stop */
  listen(listener: () => void): () => void
  /**
   * Rerenders when the value changes, in this tab or in another one. Returns the empty value on the server and during
   * hydration. If `isSame` says that two values render the same, the first one is kept. Pass a stable function.
   */
  use(scope: string, isSame?: (before: T, after: T) => boolean): T
}

/** One value per scope, such as an organization, shared by all components. */
export function createScopedStore<T extends object>(nothing: T, storing?: Storing<T>): ScopedStore<T> {
  const kept = new Map<string, T>()
  /** Values that storage refused because it is full or forbidden. */
  const unsaved = new Set<string>()
  const listeners = new Set<() => void>()

  const load = (scope: string): T => {
    try {
      const loaded = storing?.load(scope) ?? nothing
      // Returns the same object as before there was a value, so that nothing renders again.
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
        // Kept as long as the tab lives.
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
