interface ReadyAnswerEvents {
  /** An answer was added, changed or deleted. `userIds`: who had or has it. Null: everybody. */
  'readyAnswer.changed': { userIds: readonly string[] | null }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends ReadyAnswerEvents {}
}
