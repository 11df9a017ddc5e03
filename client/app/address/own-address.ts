import { useSyncExternalStore } from 'react'
import { useFacts } from '../facts.ts'

const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/
const unchanging = () => () => undefined

/**
 * The installation at `publicUrl` accepts calls from a page at `origin` if it is the same address, or another loopback
 * name.
 */
export const isOwnAddress = (publicUrl: string, origin: string): boolean => {
  const own = new URL(publicUrl)
  return own.origin === origin || (loopback.test(own.hostname) && loopback.test(new URL(origin).hostname))
}

/** Returns the public address if the page is open at another one, otherwise `undefined`. */
export const useRightAddress = (): string | undefined => {
  const { publicUrl } = useFacts()
  const isOwn = useSyncExternalStore(
    unchanging,
    () => isOwnAddress(publicUrl, location.origin),
    () => true,
  )
  return isOwn ? undefined : publicUrl
}
