/** The service worker, registered when first needed. Undefined: not supported. @throws when it cannot start */
export const openWorker = async (): Promise<ServiceWorkerRegistration | undefined> => {
  if (!('serviceWorker' in navigator)) return undefined
  await navigator.serviceWorker.register('/sw.js', { scope: '/', updateViaCache: 'none' })
  return navigator.serviceWorker.ready
}

/** The worker's message to a tab when a notification was clicked. */
interface OpenWord {
  readonly type: 'open'
  readonly path: string
}

export const isOpenWord = (word: unknown): word is OpenWord => {
  if (typeof word !== 'object' || word === null) return false
  const { type, path } = word as Partial<OpenWord>
  return type === 'open' && typeof path === 'string' && /^\/org\/[^/\\]/.test(path)
}
