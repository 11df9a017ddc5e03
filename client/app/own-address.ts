import { useSyncExternalStore } from 'react'
import { useFacts } from './facts.ts'

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/
const unchanging = () => () => undefined

/**
 * Whether calls from a page at `origin` are taken by an installation whose address is `publicUrl`: from that one, and on
 * one's own machine from its other names.
 */
export const isOwnAddress = (publicUrl: string, origin: string): boolean => {
  const own = new URL(publicUrl)
  return own.origin === origin || (loopback.test(own.hostname) && loopback.test(new URL(origin).hostname))
}

/** The address that people and Meta reach the installation by, where the page is open at another one; undefined: at this. */
export const useRightAddress = (): string | undefined => {
  const { publicUrl } = useFacts()
  const isOwn = useSyncExternalStore(
    unchanging,
    () => isOwnAddress(publicUrl, location.origin),
    () => true,
  )
  return isOwn ? undefined : publicUrl
}
