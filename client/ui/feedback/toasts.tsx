interface ToastOptions {
  readonly kind?: 'success' | 'error' | 'info'
  /** Null: until it is closed. App toasts take 5 s, notifications 4 s. */
  readonly durationMs?: number | null
  readonly action?: { readonly label: string; onClick(): void }
  /** With a key, a toast appears only once, and `dismissToast` can remove it. */
  readonly key?: string
  readonly closable?: boolean
  /** A second line below the text. */
  readonly detail?: string
  /** Notifications are at the top, the app's own messages at the bottom. */
  readonly position?: 'bottom-right' | 'top-right'
}
export interface Toast extends ToastOptions {
  readonly text: string
}

/** Toasts that wait until the host is loaded. Browser only. */
let waiting: readonly Toast[] = []
let host: { show(toast: Toast): void; dismiss(key: string): void } | undefined
let wanted = false
const listeners = new Set<() => void>()

const want = () => {
  if (wanted) return
  wanted = true
  for (const listener of listeners) listener()
}

/** Shows a toast, by default in the lower right corner. The first one loads the code. */
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

/** The loaded host takes the waiting toasts. Undefined: it was unmounted. */
export const setToastHost = (next: typeof host): void => {
  host = next
  if (!host) return
  for (const one of waiting) host.show(one)
  waiting = []
}

/** Tells listeners when the first toast is shown. */
export const firstToast = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  hasCome: () => wanted,
}
