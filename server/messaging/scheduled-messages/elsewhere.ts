import type { Db } from '#server/platform/db/database.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { AppError } from '#server/platform/http/errors.ts'
import type { Message } from '#shared/inbox/messages.ts'

export type SentElsewhere =
  | { readonly kind: 'sent'; readonly message: Message }
  /** `refused`: certainly not sent. `uncertain`: perhaps sent. `notYet`: it was not asked, because it is overloaded. */
  | { readonly kind: 'refused' | 'uncertain' | 'notYet'; readonly error: AppError }

/** Sends the messages of organizations whose number another system operates. */
export interface SendingElsewhere {
  isFor(db: Db, orgId: string): Promise<boolean>
  /** Learns what the customer wrote since. */
  refresh(caller: OrgCaller, conversationId: string): Promise<void>
  /** @param key the same for every attempt to send the same text */
  send(caller: OrgCaller, text: { conversationId: string; text: string; key: string }): Promise<SentElsewhere>
}
