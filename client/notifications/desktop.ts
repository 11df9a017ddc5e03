import { openWorker } from './worker.ts'

export type DesktopState = 'unsupported' | 'insecure' | 'default' | 'granted' | 'denied'
type DesktopFault = 'unsupported' | 'title' | 'declined' | 'failed' | 'sound'

const messages: Record<DesktopFault, string> = {
  unsupported: 'incompatible browser',
  title: 'title must be a string',
  declined: 'permission request declined',
  failed: 'service worker or notification failure',
  sound: 'the browser plays no sound',
}

/** Why the system shows or plays nothing. */
export class DesktopError extends Error {
  override readonly name = 'DesktopError'
  readonly fault: DesktopFault
  constructor(fault: DesktopFault, cause?: unknown) {
    super(messages[fault], { cause })
    this.fault = fault
  }
}

/** Browser only. */
export const desktopState = (): DesktopState => {
  if (!isSecureContext) return 'insecure'
  return 'Notification' in window ? Notification.permission : 'unsupported'
}

/** Asks the person once. Must run in a click handler. @throws DesktopError when it is not granted */
export const askDesktop = async (): Promise<void> => {
  const state = desktopState()
  if (state === 'unsupported' || state === 'insecure') throw new DesktopError('unsupported')
  if (state !== 'granted' && (await Notification.requestPermission()) !== 'granted') throw new DesktopError('declined')
}

interface DesktopNotice {
  readonly id: string
  readonly title: string
  readonly body: string
  /** Slug of the organization. */
  readonly org: string
  /** The page that a click opens. Null: the chats. */
  readonly path: string | null
}

/**
 * Shows a system notification. One with the same id is replaced silently. @param onOpen only used without a service
 * worker, which otherwise opens the page @throws DesktopError
 */
export const showDesktop = async (notice: DesktopNotice, onOpen: () => void): Promise<void> => {
  const { id, title, body, org, path } = notice
  if (typeof title !== 'string') throw new DesktopError('title')
  const state = desktopState()
  if (state === 'unsupported' || state === 'insecure') throw new DesktopError('unsupported')
  if (state !== 'granted') throw new DesktopError('declined')
  const options = { body, tag: id, icon: '/favicon.svg', data: { id, org, path } }
  try {
    const worker = await openWorker()
    if (worker) return await worker.showNotification(title, options)
    const shown = new Notification(title, options)
    shown.onclick = () => {
      window.focus()
      shown.close()
      onOpen()
    }
  } catch (error) {
    throw new DesktopError('failed', error)
  }
}
