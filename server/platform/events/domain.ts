/**
 * Everything that can happen in an organization, as facts without language. Each feature declares its own events in its
 * `events.ts`, which adds them here. Listeners derive the rest: live updates of open tabs, notifications, pushes,
 * outgoing webhooks.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the features add to it
export interface DomainEvents {}

export type DomainEventType = keyof DomainEvents
export type EventOf<T extends DomainEventType> = { [K in T]: { readonly type: K; readonly data: DomainEvents[K] } }[T]
export type DomainEvent = EventOf<DomainEventType>
