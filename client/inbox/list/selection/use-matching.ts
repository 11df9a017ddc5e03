import { useState } from 'react'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { MatchingChat } from '#shared/inbox/conversations.ts'
import type { InboxT } from '../../words.ts'
import type { ListQuery } from '../list-filter.ts'

export interface Matching {
  readonly items: readonly MatchingChat[]
  /** More match than can be selected. */
  readonly hasMore: boolean
}

/** All chats that match the list's filters, loaded or not. Undefined: not asked for, or asked for another list. */
export function useMatching(list: string, query: ListQuery, t: InboxT) {
  const api = useApi()
  const failureText = useFailureText()
  const [state, setState] = useState<{ list: string; matching: Matching }>()
  return {
    matching: state?.list === list ? state.matching : undefined,
    find: async () => {
      try {
        setState({ list, matching: await api.inbox.listMatching({ query }) })
      } catch (error) {
        toast(t('toast.failed', { reason: failureText(error) }), { kind: 'error' })
      }
    },
    forget: () => setState(undefined),
  }
}
