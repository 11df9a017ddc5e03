import type { BulkSendEvents } from './bulk-sends.ts'
import type { ContactImportEvents } from './contact-imports.ts'
import type { FlowEvents } from './flows.ts'
import type { InboxEvents } from './inbox.ts'
import type { MemberEvents } from './members.ts'
import type { NotificationEvents } from './notifications.ts'
import type { NumbersEvents } from './numbers.ts'
import type { OrganizationEvents } from './organization.ts'
import type { OutgoingWebhookEvents } from './outgoing-webhooks.ts'
import type { ReadyAnswerEvents } from './ready-answers.ts'
import type { SavedViewEvents } from './saved-views.ts'
import type { TagEvents } from './tags.ts'
import type { TemplateEvents } from './templates.ts'
import type { VisibilityEvents } from './visibility.ts'

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
