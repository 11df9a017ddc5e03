import type { DomainEvents, DomainEventType } from '#server/platform/events/domain.ts'
import type { ChosenType } from '#shared/outgoing-webhooks/api.ts'
import { contactKinds } from './contacts.ts'
import { conversationKinds } from './conversations.ts'
import type { WebhookKind } from './kind.ts'
import { messageKinds } from './messages.ts'
import { organizationKinds } from './organization.ts'

/** Every event that webhooks can choose, except a tapped button, which names its webhook itself. */
const webhookKinds = {
  ...messageKinds,
  ...conversationKinds,
  ...contactKinds,
  ...organizationKinds,
} satisfies Record<ChosenType, unknown>

type AnyKind = Omit<WebhookKind, 'make'> & {
  make(data: DomainEvents[DomainEventType]): ReturnType<WebhookKind['make']>
}

export const webhookKind = (type: ChosenType): AnyKind => webhookKinds[type] as unknown as AnyKind

const types = Object.keys(webhookKinds) as ChosenType[]

/** The types of webhooks that are made from each domain event. */
export const typesByEvent: ReadonlyMap<DomainEventType, readonly ChosenType[]> = Map.groupBy(
  types,
  type => webhookKind(type).on,
)
