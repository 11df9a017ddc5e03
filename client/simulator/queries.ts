import type { QueryClient } from '@tanstack/react-query'
import { keyFor, pagesFor, queryFor } from '#client/app/queries/queries.ts'
import type { PhoneMessage, SandboxThread } from '#shared/simulator/phone.ts'

export const customersQuery = (org: string) => queryFor(org, 'sandbox.listCustomers', {})
export const stateQuery = (org: string) => queryFor(org, 'sandbox.getState', {})
export const fileQuery = (org: string, id: string) => queryFor(org, 'sandbox.getFile', { params: { id } })

/** Pages of one phone's messages, the newest page first. */
export const threadQuery = (org: string, phone: string) =>
  pagesFor(
    org,
    'sandbox.getThread',
    { params: { phone }, query: {} },
    {
      first: 0,
      next: last => last.before ?? undefined,
      query: before => (before ? { before } : {}),
      rows: page => page.items.toReversed(),
      keyOf: (message: PhoneMessage) => message.seq,
      join: (near, far, rows) => ({ ...near, before: far.before, items: rows.toReversed() }),
    },
  )

/** All messages, oldest first. Pages loaded at different times can overlap. */
export const messagesOf = (pages: readonly SandboxThread[]): PhoneMessage[] => {
  const bySeq = new Map(pages.flatMap(page => page.items).map(message => [message.seq, message]))
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

/** The key of the mutation that empties the simulator. */
export const emptyingKey = (org: string) => [org, 'sandbox.reset'] as const

/** Refetches the simulator's data on screen, except while it is being emptied. */
export async function refreshPhones(client: QueryClient, org: string): Promise<void> {
  if (client.isMutating({ mutationKey: emptyingKey(org) })) return
  await Promise.all([
    client.invalidateQueries({ queryKey: keyFor(org, 'sandbox.getThread') }),
    client.invalidateQueries({ queryKey: keyFor(org, 'sandbox.listCustomers') }),
  ])
}

/** Resolves when no component uses these queries any more. React unmounts removed parts later. */
export const untilUnseen = (client: QueryClient, queryKey: readonly unknown[]): Promise<void> =>
  new Promise(resolve => {
    const cache = client.getQueryCache()
    const isSeen = () => cache.findAll({ queryKey, type: 'active' }).length > 0
    if (!isSeen()) return resolve()
    const stop = cache.subscribe(() => {
      if (isSeen()) return
      stop()
      resolve()
    })
  })
