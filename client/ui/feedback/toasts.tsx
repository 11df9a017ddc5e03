export interface ToastOptions {
  readonly kind?: 'success' | 'error' | 'info'
  /** How long it stays; null until closed. App toasts 5 s, notifications 4 s. */
  readonly durationMs?: number | null
  readonly action?: { readonly label: string; onClick(): void }
  /** With a key a toast appears once and `dismissToast` can take it back. */
  readonly key?: string
  readonly closable?: boolean
  /** A second line below the text. */
  readonly detail?: string
  /** Notifications stand at the top, the app's own words at the bottom. */
  readonly position?: 'bottom-right' | 'top-right'
}
export interface Toast extends ToastOptions {
  readonly text: string
}

/** Told to the host once it has loaded; until then they wait. Browser only. */
let waiting: readonly Toast[] = []
let host: { show(toast: Toast): void; dismiss(key: string): void } | undefined
let wanted = false
const listeners = new Set<() => void>()

const want = () => {
  if (wanted) return
  wanted = true
  for (const listener of listeners) listener()
}

/** Says something in the lower right corner, unless told otherwise. The machinery loads with the first one. */
export const toast = (text: string, options: ToastOptions = {}): void => {
  const one = { text, ...options }
  if (host) host.show(one)
  else waiting = [...waiting, one]
  want()
}

export const dismissToast = (key: string): void => {
  waiting = waiting.filter(one => one.key !== key)
  host?.dismiss(key)
}

/** The loaded host takes over what waits; undefined when it goes. */
export const setToastHost = (next: typeof host): void => {
  host = next
  if (!host) return
  for (const one of waiting) host.show(one)
  waiting = []
}

/** Whether anything was said yet, and whoever wants to hear when it first is. */
export const firstToast = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  hasCome: () => wanted,
}
