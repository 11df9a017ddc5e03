import { useEffect, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isApiError } from '#client/app/calls/api-error.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { asFileMessage, useSendingFiles } from '../composer/files/sending-files.ts'
import { asMessage, useOutgoing } from '../composer/outgoing.ts'
import { withOrderOfWaiting } from '../composer/waiting-order.ts'
import { aroundOf, withAround, withoutAround } from '../list/list-address.ts'
import { flatMessages, messagesQuery } from '../queries.ts'
import type { InboxT } from '../words.ts'
import { useAround } from './around.ts'

interface WhichThread {
  org: string
  /** The phone in the page's address. */
  phone: string
  /** The address of the conversation. */
  address: string
  /** The scope whose unsent messages are shown. */
  scope: string
}

/** The loaded messages of a chat, from the newest or around the one in the address, and how to load more. */
export function useThreadMessages({ org, phone, address, scope }: WhichThread, t: InboxT) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const query = useSuspensePages(messagesQuery(org, phone))
  const outgoing = useOutgoing(scope)
  const sendingFiles = useSendingFiles(scope)
  const target = aroundOf(search)
  const newest = useMemo(() => flatMessages(query.data), [query.data])
  const { part: around, error: aroundError } = useAround(org, phone, target, newest)
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each message that could not be had
  useEffect(() => {
    if (!aroundError) return
    // 0: no answer, as when offline.
    const isGone = isApiError(aroundError) && aroundError.status >= 400 && aroundError.status < 500
    toast(t(isGone ? 'search.gone' : 'search.notLoaded'), { key: `around ${target}`, kind: isGone ? 'info' : 'error' })
  }, [aroundError, target])
  const shown = around?.messages ?? newest
  const isWhole = around?.isWhole ?? true
  const messages = useMemo(() => {
    if (!isWhole) return shown
    const keys = new Set(shown.map(message => message.clientKey))
    const isComing = (item: { phone: string; clientKey: string }) => item.phone === address && !keys.has(item.clientKey)
    const coming = [
      ...outgoing.filter(isComing).map(asMessage),
      ...sendingFiles.filter(isComing).map(asFileMessage),
    ].sort((a, b) => (a.at < b.at ? -1 : 1))
    return [...withOrderOfWaiting(shown), ...coming]
  }, [shown, isWhole, outgoing, sendingFiles, address])
  const toNewest = () =>
    void navigate(paths.chat(org, address) + withoutAround(search), { replace: true, preventScrollReset: true })
  return {
    messages,
    /** The message in the address, after the thread around it is loaded. */
    target: around && target,
    isWhole,
    hasOlder: around ? around.hasOlder : query.hasNextPage,
    loadingOlder: around ? around.isLoadingOlder : query.isFetchingNextPage,
    olderFailed: around ? around.olderFailed : query.isFetchNextPageError,
    onOlder: () => (around ? around.loadOlder() : void query.fetchNextPage()),
    hasNewer: around?.hasNewer ?? false,
    loadingNewer: around?.isLoadingNewer ?? false,
    newerFailed: around?.newerFailed ?? false,
    onNewer: () => around?.loadNewer(),
    /** Absent: they are loaded. */
    onNewest: around && toNewest,
    onQuoted: (id: string) =>
      void navigate(paths.chat(org, address) + withAround(search, id), { preventScrollReset: true }),
  }
}
