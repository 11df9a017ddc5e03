/** What happens to saved views. */
export interface SavedViewEvents {
  /** One is new, changed or gone. `userIds`: who had it and has it; null: everybody. */
  'savedView.changed': { userIds: readonly string[] | null }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends SavedViewEvents {}
}
