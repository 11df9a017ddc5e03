interface SavedViewEvents {
  /** A view was added, changed or deleted. `userIds`: who had or has it. Null: everybody. */
  'savedView.changed': { userIds: readonly string[] | null }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends SavedViewEvents {}
}
