import type { Query, QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { paths } from '#shared/kernel/paths.ts'
import { isApiError } from '../app/api-error.ts'
import { onAuthChange, signOut } from '../app/auth-api.ts'
import { viewerQuery } from './viewer.ts'

const farewellMs = 2000

const reasonsToStay = new Set<() => boolean>()

/**
 * While a part of the page says itself that the session is over, and where to go on, the page stays: what was just written
 * would vanish before somebody's eyes. Answers how to take it back.
 */
export const stayWhile = (isReason: () => boolean): (() => void) => {
  reasonsToStay.add(isReason)
  return () => void reasonsToStay.delete(isReason)
}

/**
 * The session has ended somewhere else: to the sign-in, and back here afterwards. A whole new page, as every change of
 * who is signed in; typed text waits in the drafts. Once: several answers tell it at the same time.
 */
const goToSignIn = (): void => {
  if (isSayingGoodbye() || [...reasonsToStay].some(isReason => isReason())) return
  isGone = true
  location.replace(paths.login(location.pathname + location.search))
}

/** Calls of better-auth's after which who is looking, and where, has to be asked again. */
const changesViewer =
  /^\/(?:sign-in|sign-up|update-user|verify-email|two-factor|organization\/|admin\/(?:impersonate-user|stop-impersonating))/

/** Leaving: the session is over and the page says goodbye. Browser only. */
let isLeaving = false
/** On the way to another page, as nobody or as somebody else. Browser only. */
let isGone = false
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** True while the page is on its way out: what fails now for lack of a session is no surprise. */
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
 * Ends the session (by `end`, where more than this one ends) and, two seconds later, leads to the sign-in of the organization: a whole new page, so that nothing
 * of this one stays.
 * @throws ApiError when the session could not be ended: it goes on.
 */
export const leave = async (org: string | undefined, end: () => Promise<unknown> = signOut): Promise<void> => {
  isLeaving = true
  tell()
  await callOff()
  try {
    await end()
  } catch (error) {
    isLeaving = false
    tell()
    askAgain()
    throw error
  }
  setTimeout(() => location.replace(org ? paths.orgLogin(org) : paths.login()), farewellMs)
}

/**
 * Becomes somebody else by `change`, and opens a whole new page at an address: what this one has cached is not theirs,
 * and nothing on it may lead elsewhere because the session it knew is over.
 * @throws ApiError when nothing was changed.
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

/** What is there and asked for again: who leaves does not wait for it. */
const isForNewer = ({ state }: Query): boolean => state.data !== undefined

/** Questions that are under way would be answered to nobody. */
let callOff = async (): Promise<void> => undefined
let askAgain = (): void => undefined

/**
 * The one place that keeps the cache true to the session. What changes who is looking makes the viewer be asked again,
 * in this tab and in the others; whoever then turns out to be nobody goes to the sign-in.
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
    // It tells of a question before it can be called off, and asks in the loop's next turn.
    if (event.action.type === 'fetch' && isSayingGoodbye() && isForNewer(event.query))
      queueMicrotask(() => void event.query.cancel({ revert: true }))
    if (event.action.type !== 'error') return
    // The guard's own question is its own business (public pages ask it, too) unless somebody was known here before.
    const isGuards = event.query.queryKey[1] === viewerQuery.queryKey[1] && event.query.state.data === undefined
    if (!isGuards) judge(event.action.error)
  })
  client.getMutationCache().subscribe(event => {
    if (event.type === 'updated' && event.action.type === 'error') judge(event.action.error)
  })
}
