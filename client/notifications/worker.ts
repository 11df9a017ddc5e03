/** The service worker, registered when it is first needed; undefined where there is none. @throws when it cannot start */
export const openWorker = async (): Promise<ServiceWorkerRegistration | undefined> => {
  if (!('serviceWorker' in navigator)) return undefined
  await navigator.serviceWorker.register('/sw.js', { scope: '/', updateViaCache: 'none' })
  return navigator.serviceWorker.ready
}

/** What the worker asks of a tab when a notification was chosen. */
export interface OpenWord {
  readonly type: 'open'
  readonly path: string
}

export const isOpenWord = (word: unknown): word is OpenWord => {
  if (typeof word !== 'object' || word === null) return false
  const { type, path } = word as Partial<OpenWord>
  return type === 'open' && typeof path === 'string' && /^\/org\/[^/\\]/.test(path)
}
