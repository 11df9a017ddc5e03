import type { BulkSendEvents } from '#server/features/bulk-sends/events.ts'
import type { NotificationEvents } from '#server/features/notifications/events.ts'
import type { OutgoingWebhookEvents } from '#server/features/outgoing-webhooks/events.ts'
import type { ReadyAnswerEvents } from '#server/features/ready-answers/events.ts'
import type { SavedViewEvents } from '#server/features/saved-views/events.ts'
import type { TemplateEvents } from '#server/features/templates/events.ts'
import type { NumbersEvents } from '#server/identity/numbers/events.ts'
import type { OrganizationEvents } from '#server/identity/orgs/events.ts'
import type { MemberEvents } from '#server/identity/orgs/member-events.ts'
import type { VisibilityEvents } from '#server/identity/visibility/events.ts'
import type { ContactImportEvents } from '#server/messaging/contacts/importing/events.ts'
import type { InboxEvents } from '#server/messaging/events.ts'
import type { TagEvents } from '#server/messaging/tags/events.ts'
import type { FlowEvents } from '#shared/events/flows.ts'

/**
 * Everything that can happen in an organization, as facts without language: each room declares its own beside this file.
 * Listeners derive the rest from them: what open tabs see, notifications, pushes, and what other programs are told.
 */
export interface DomainEvents
  extends BulkSendEvents,
    ContactImportEvents,
    FlowEvents,
    InboxEvents,
    NumbersEvents,
    OrganizationEvents,
    MemberEvents,
    NotificationEvents,
    OutgoingWebhookEvents,
    ReadyAnswerEvents,
    SavedViewEvents,
    TagEvents,
    TemplateEvents,
    VisibilityEvents {}

export type DomainEventType = keyof DomainEvents
export type EventOf<T extends DomainEventType> = { [K in T]: { readonly type: K; readonly data: DomainEvents[K] } }[T]
export type DomainEvent = EventOf<DomainEventType>
