/**
 * Everything that can happen in an organization, as facts without language: each feature declares its own in its `events.ts`, which adds them here.
 * Listeners derive the rest from them: what open tabs see, notifications, pushes, and what other programs are told.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the features add to it
export interface DomainEvents {}

export type DomainEventType = keyof DomainEvents
export type EventOf<T extends DomainEventType> = { [K in T]: { readonly type: K; readonly data: DomainEvents[K] } }[T]
export type DomainEvent = EventOf<DomainEventType>
