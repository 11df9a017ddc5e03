import type { ManyWrites } from '#server/platform/events/write.ts'

/** A stored webhook that was applied, wholly, and an organization that has something in it. */
export interface Applied {
  readonly orgId: string
  /** Its number in the journal. */
  readonly seq: number
}

/** Hears of applied webhooks, in the commit that marks them so. It must be cheap: this is the path of every message. */
export interface AppliedWebhooks {
  applied(writes: ManyWrites, applied: readonly Applied[]): Promise<void>
}
