import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { refusesMarketing } from '#server/whatsapp/errors/code-meanings.ts'
import { type MarketingChoice, readMarketingChoices } from '#server/whatsapp/fields/marketing-choices.ts'
import type { CustomerIds, WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import type { OptOutContacts } from './keywords.ts'

export interface SignalParts extends OptOutContacts {
  /** The contact ids of these customers, in order. Missing contacts are created. */
  resolveContactIds(write: OrgWrite, senders: readonly CustomerIds[]): Promise<readonly string[]>
  isoNow(): string
}

/** Handles choices that customers make in WhatsApp, from webhooks. Idempotent. */
export const createChoices =
  ({ resolveContactIds, optOut, optIn, isoNow }: SignalParts) =>
  async (write: OrgWrite, items: readonly WebhookItem[]): Promise<void> => {
    const choices = items.flatMap(item => (item.kind === 'management' ? readMarketingChoices(item.value) : []))
    const ids = await resolveContactIds(
      write,
      choices.map(({ sender }) => sender),
    )
    const last = new Map<string, MarketingChoice>()
    for (const [i, choice] of choices.entries()) last.set(ids[i] as string, choice)
    for (const [contactId, { wantsMarketing, at }] of last)
      if (wantsMarketing) await optIn(write, [contactId])
      else await optOut(write, [contactId], { at: at ?? isoNow(), source: 'whatsapp', note: null, by: null })
  }

/** A message refused because of such a choice reveals it, even if its webhook was missed. */
export const createRefusalListener = ({
  optOut,
}: Pick<SignalParts, 'optOut'>): TransactionListener<'message.status'> => ({
  name: 'opt-outs by refusal',
  on: ['message.status'],
  async handle(write, events) {
    const refused = events.filter(
      ({ data }: EventOf<'message.status'>) =>
        data.status === 'failed' && data.errorCode !== null && refusesMarketing(data.errorCode),
    )
    for (const { data } of refused)
      await optOut(write, [data.contactId], { at: data.at, source: 'whatsapp', note: null, by: null })
  },
})
