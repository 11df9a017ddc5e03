import { useQueryClient } from '@tanstack/react-query'
import { findConversation } from '../placing.ts'
import type { InboxT } from '../words.ts'
import { ThreadTop } from './head/thread-top.tsx'

/** A chat that is loading: shows the customer if the list has them, and no composer. */
export const ThreadSkeleton = ({ org, phone, t }: { org: string; phone: string; t: InboxT }) => (
  <section className="thread">
    <ThreadTop org={org} conversation={findConversation(useQueryClient(), org, phone)} t={t} />
    <div className="messages" role="status" aria-label={t('thread.loading')}>
      <div className="messages-column thread-skeleton">
        <span className="skeleton" />
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
    </div>
    <div className="composer">
      <div className="composer-box composer-skeleton">
        <span className="skeleton" />
      </div>
    </div>
  </section>
)
