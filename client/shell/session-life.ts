import type { Query, QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isApiError } from '#client/app/calls/api-error.ts'
import { onAuthChange, signOut } from '#client/app/calls/auth-api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { viewerQuery } from './viewer.ts'

const farewellMs = 2000

const reasonsToStay = new Set<() => boolean>()

/**
 * While `isReason` returns true, the page stays when the session ends, because the component shows that itself and a
 * redirect would discard typed text. Returns a function that undoes it.
 */
export const stayWhile = (isReason: () => boolean): (() => void) => {
  reasonsToStay.add(isReason)
  return () => void reasonsToStay.delete(isReason)
}

/**
 * The session ended elsewhere: redirects to the login and back afterwards, with a full page load. Typed text is in the
 * drafts. Runs once, because several answers report it at the same time.
 */
const goToSignIn = (): void => {
  if (isSayingGoodbye() || [...reasonsToStay].some(isReason => isReason())) return
  isGone = true
  location.replace(paths.login(location.pathname + location.search))
}

/** Matches the paths of better-auth calls that change the signed-in person. */
const changesViewer =
  /^\/(?:sign-in|sign-up|update-user|verify-email|two-factor|organization\/|admin\/(?:impersonate-user|stop-impersonating))/

/** Signing out: the session has ended and the page is closing. Browser only. */
let isLeaving = false
/** True if the page is being left, because the person signed out or became somebody else. Used in the browser only. */
let isGone = false
const listeners = new Set<() => void>()
const notifyListeners = () => {
  for (const listener of listeners) listener()
}

/** True while the page is being left: failures for lack of a session are expected. */
export const isSayingGoodbye = (): boolean => isLeaving || isGone

export const useIsLeaving = (): boolean =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isLeaving,
    () => false,
  )

/**
 * Ends the session (by `end`, if more than this one) and, two seconds later, loads the organization's login page.
 * @throws ApiError when the session could not be ended; it continues.
 */
export const leave = async (org: string | undefined, end: () => Promise<unknown> = signOut): Promise<void> => {
  isLeaving = true
  notifyListeners()
  await callOff()
  try {
    await end()
  } catch (error) {
    isLeaving = false
    notifyListeners()
    askAgain()
    throw error
  }
  setTimeout(() => location.replace(org ? paths.orgLogin(org) : paths.login()), farewellMs)
}

/**
 * Changes the signed-in person with `change` and loads a new page, because cached data is not theirs. @throws ApiError
 * when nothing was changed.
 */
export const becomeAnother = async (change: () => Promise<unknown>, to: string): Promise<void> => {
  isGone = true
  try {
    await change()
  } catch (error) {
    isGone = false
    askAgain()
    throw error
  }
  location.assign(to)
}

const channelName = 'recado:session'

/** It has data and is being refreshed: signing out does not wait for it. */
const isForNewer = ({ state }: Query): boolean => state.data !== undefined

/** Cancels running queries. */
let callOff = async (): Promise<void> => undefined
let askAgain = (): void => undefined

/**
 * Keeps the cache consistent with the session. Calls that change the signed-in person reload it in all tabs. A visitor
 * who is not signed in is sent to the login.
 */
export function keepSession(client: QueryClient): void {
  const askForViewer = () => void client.invalidateQueries({ queryKey: viewerQuery.queryKey })
  const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(channelName) : undefined
  channel?.addEventListener('message', askForViewer)
  onAuthChange(path => {
    if (changesViewer.test(path) && !isGone) askForViewer()
    channel?.postMessage(path)
  })
  callOff = () => client.cancelQueries({ predicate: isForNewer })
  askAgain = () => void client.refetchQueries({ type: 'active', stale: true })

  const judge = (error: unknown) => {
    if (isApiError(error) && error.status === 401 && location.pathname.startsWith('/org/')) goToSignIn()
  }
  client.getQueryCache().subscribe(event => {
    if (event.type !== 'updated') return
    // The event comes before the query can be cancelled; the request starts in the next task.
    if (event.action.type === 'fetch' && isSayingGoodbye() && isForNewer(event.query))
      queueMicrotask(() => void event.query.cancel({ revert: true }))
    if (event.action.type !== 'error') return
    // The guard handles its own query (public pages use it too), unless there was a viewer before.
    const isGuards = event.query.queryKey[1] === viewerQuery.queryKey[1] && event.query.state.data === undefined
    if (!isGuards) judge(event.action.error)
  })
  client.getMutationCache().subscribe(event => {
    if (event.type === 'updated' && event.action.type === 'error') judge(event.action.error)
  })
}
