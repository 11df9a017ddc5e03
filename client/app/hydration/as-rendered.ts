import { hashKey, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { createAttached } from '#client/app/attached.ts'

/** By the hash of its question, what a page was drawn with on the server. */
interface Drawn {
  readonly answers: Map<string, unknown>
  /** Asked for, not there yet, and not waited for: parts were drawn without it. */
  readonly missed: Set<string>
}
const pages = createAttached<QueryClient, Drawn>()
const drawnOf = (client: QueryClient): Drawn => {
  const known = pages.of(client)
  if (known) return known
  const made: Drawn = { answers: new Map(), missed: new Set() }
  pages.attach(client, made)
  return made
}

/** The answer if it is there; once it was not, the whole page is drawn without it where nobody waits. */
const readKnown = <T>(client: QueryClient, key: QueryKey): T | undefined => {
  const { missed } = drawnOf(client)
  const hash = hashKey(key)
  const answer = missed.has(hash) ? undefined : client.getQueryData<T>(key)
  if (answer === undefined) missed.add(hash)
  return answer
}

/** True when parts of the page were drawn without it. */
export const isMissed = (client: QueryClient, hash: string): boolean => pages.of(client)?.missed.has(hash) ?? false

/** In the browser: keeps the answer that came with the page as it stands in the cache now. */
export const keepDrawn = (client: QueryClient, key: QueryKey, wasMissed: boolean): void => {
  const { answers, missed } = drawnOf(client)
  const hash = hashKey(key)
  answers.set(hash, client.getQueryData(key))
  if (wasMissed) missed.add(hash)
}

const neverChanges = () => () => undefined
const useAsDrawn = <T>(key: QueryKey, newest: T, drawn: (page: Drawn, hash: string) => unknown): T | undefined => {
  const client = useQueryClient()
  const asDrawn = () => drawn(drawnOf(client), hashKey(key)) as T | undefined
  return useSyncExternalStore(neverChanges, () => newest, asDrawn)
}

/**
 * The newest answer, except while a part of the page is taken over: then it is the one that the server drew this part
 * with, and the newest is drawn right after. Parts are taken over one by one, on a slow machine seconds after the
 * first ones hear events; one that is given something newer meanwhile would be thrown away, with what was typed into it.
 */
export const useAsRendered = <T>(key: QueryKey, newest: T): T =>
  useAsDrawn(key, newest, ({ answers }, hash) => answers.get(hash)) ?? newest

const useKnownInBrowser = <T>(key: QueryKey, newest: T | undefined): T | undefined =>
  useAsDrawn(key, newest, ({ answers, missed }, hash) => (missed.has(hash) ? undefined : answers.get(hash)))

const useKnownOnServer = <T>(key: QueryKey, _newest: T | undefined): T | undefined =>
  readKnown<T>(useQueryClient(), key)

/** The same where the answer is not waited for: undefined while what was drawn without it is taken over. */
export const useKnownAsRendered = typeof document === 'undefined' ? useKnownOnServer : useKnownInBrowser
