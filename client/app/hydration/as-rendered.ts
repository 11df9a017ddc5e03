import { hashKey, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { createAttached } from '../queries/attached.ts'

/** The answers that the server rendered a page with, by query hash. */
interface Drawn {
  readonly answers: Map<string, unknown>
  /** Requested but not available in time: parts were rendered without it. */
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

/**
 * The answer, if available. If a component already rendered without it, all components that do not wait for it render
 * without it.
 */
const readKnown = <T>(client: QueryClient, key: QueryKey): T | undefined => {
  const { missed } = drawnOf(client)
  const hash = hashKey(key)
  const answer = missed.has(hash) ? undefined : client.getQueryData<T>(key)
  if (answer === undefined) missed.add(hash)
  return answer
}

/** True if parts of the page were rendered without this answer. */
export const isMissed = (client: QueryClient, hash: string): boolean => pages.of(client)?.missed.has(hash) ?? false

/** Browser: remembers the answer that came with the page. */
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
 * Returns the newest answer. While a part of the page hydrates, returns the answer that the server rendered it with,
 * and right afterwards the newest. Parts hydrate one by one, on a slow machine seconds after the first ones receive
 * events. If a part got newer data before it hydrated, React would discard its HTML together with the text typed into
 * it.
 */
export const useAsRendered = <T>(key: QueryKey, newest: T): T =>
  useAsDrawn(key, newest, ({ answers }, hash) => answers.get(hash)) ?? newest

const useKnownInBrowser = <T>(key: QueryKey, newest: T | undefined): T | undefined =>
  useAsDrawn(key, newest, ({ answers, missed }, hash) => (missed.has(hash) ? undefined : answers.get(hash)))

const useKnownOnServer = <T>(key: QueryKey, _newest: T | undefined): T | undefined =>
  readKnown<T>(useQueryClient(), key)

/**
 * Like `useAsRendered`, for an answer that the page does not wait for. Returns `undefined` while a part that the server
 * rendered without the answer hydrates.
 */
export const useKnownAsRendered = typeof document === 'undefined' ? useKnownOnServer : useKnownInBrowser
