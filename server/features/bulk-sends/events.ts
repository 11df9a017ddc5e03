import type { BlockReason, BulkSendState } from '#shared/bulk-sends/api.ts'

/** What happens to bulk sends. */
export interface BulkSendEvents {
  /** New, in another state, or (`before` is `state`) with other counts; of counts at most once a second. */
  'bulkSend.changed': {
    id: string
    isTest: boolean
    state: BulkSendState
    before: BulkSendState | null
    reason: BlockReason | null
    templateName: string
    /** Whose send it is. */
    creatorId: string
    /** So many people had it planned. */
    people: number
    /** Not its maker alone, of those who send to their role's tags only, sees it. */
    isShared: boolean
  }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends BulkSendEvents {}
}
