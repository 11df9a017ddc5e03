import { asObject, asText, asTime, longList } from '../scalars.ts'
import { customerIdsFrom, isKnown } from '../webhooks/customer-ids.ts'
import type { CustomerIds } from '../webhooks/inbound.ts'

/** Meta's name of the field. */
export const marketingChoiceField = 'user_preferences'

/** A customer's choice about marketing messages, made in WhatsApp. */
export interface MarketingChoice {
  readonly sender: CustomerIds
  readonly wantsMarketing: boolean
  readonly at: string | undefined
}

/** Unreadable entries, and choices about anything else, are omitted. @see Meta, "Webhooks › user_preferences" */
export function readMarketingChoices(content: unknown): MarketingChoice[] {
  const choices: MarketingChoice[] = []
  for (const entry of longList(asObject(content)?.user_preferences) ?? []) {
    const choice = asObject(entry)
    const sender = customerIdsFrom(choice?.wa_id, choice?.user_id)
    const category = asText(choice?.category) ?? 'marketing_messages'
    const value = asText(choice?.value)
    if (!isKnown(sender) || category !== 'marketing_messages') continue
    if (value !== 'stop' && value !== 'resume' && value !== 'signup') continue
    choices.push({ sender, wantsMarketing: value !== 'stop', at: asTime(choice?.timestamp) })
  }
  return choices
}
