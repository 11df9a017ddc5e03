import type { ApiClient } from '#client/app/calls/api.ts'
import { askDesktop, DesktopError } from './desktop.ts'
import { openWorker } from './worker.ts'

export type PushState = 'unsupported' | 'off' | 'on'

const isSupported = () => isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window

const findSubscription = async () => (await navigator.serviceWorker.getRegistration('/'))?.pushManager.getSubscription()

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), char => char.charCodeAt(0))

const isSameKey = (subscription: PushSubscription, key: Uint8Array) => {
  const own = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer())
  return own.length === key.length && own.every((byte, i) => byte === key[i])
}

/** Tells whether this browser gets push messages while it is closed. */
export const pushState = async (): Promise<PushState> => {
  if (!isSupported()) return 'unsupported'
  return (await findSubscription()) ? 'on' : 'off'
}

const tell = async (api: ApiClient, subscription: PushSubscription) => {
  const { endpoint, keys } = subscription.toJSON()
  await api.push.subscribe({
    body: { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } },
  })
}

/** Subscribes this browser. Must run in a click handler for the permission. @throws DesktopError, ApiError */
export const switchPushOn = async (api: ApiClient): Promise<void> => {
  if (!isSupported()) throw new DesktopError('unsupported')
  await askDesktop()
  const { key } = await api.push.getKey({})
  const applicationServerKey = bytesOf(key)
  let subscription: PushSubscription
  try {
    const worker = await openWorker()
    if (!worker) throw new Error('no service worker')
    const known = await worker.pushManager.getSubscription()
    if (known && !isSameKey(known, applicationServerKey)) await known.unsubscribe()
    subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  } catch (error) {
    throw new DesktopError('failed', error)
  }
  await tell(api, subscription)
}

/** Unsubscribes this browser, here and on the server. @throws ApiError */
export const switchPushOff = async (api: ApiClient): Promise<void> => {
  const subscription = await findSubscription()
  if (!subscription) return
  await api.push.unsubscribe({ body: { endpoint: subscription.endpoint } })
  await subscription.unsubscribe()
}

/**
 * Sends the subscription to the server once per page, because it belongs to the session that sent it last, and the
 * server's keys may have changed. Does nothing without a subscription.
 */
export const renewPush = async (api: ApiClient): Promise<void> => {
  if (!isSupported() || Notification.permission !== 'granted' || !(await findSubscription())) return
  await switchPushOn(api)
}
