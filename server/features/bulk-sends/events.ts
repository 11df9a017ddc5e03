import type { BlockReason, BulkSendState } from '#shared/bulk-sends/states.ts'

interface BulkSendEvents {
  /** New, in another state, or (`before` equals `state`) with other counts, at most once a second. */
  'bulkSend.changed': {
    id: string
    isTest: boolean
    state: BulkSendState
    before: BulkSendState | null
    reason: BlockReason | null
    templateName: string
    /** The person whose send it is. */
    creatorId: string
    /** It waits for a second person, or the name of the person who has just approved it. */
    approval: 'needed' | { readonly by: string } | null
    creatorName: string
    /** Number of planned recipients. */
    people: number
    /** Members with limited tags other than its creator see it too. */
    isShared: boolean
  }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends BulkSendEvents {}
}
