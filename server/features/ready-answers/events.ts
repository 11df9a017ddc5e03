/** What happens to ready answers. */
export interface ReadyAnswerEvents {
  /** One is new, changed or gone. `userIds`: who had it and has it; null: everybody. */
  'readyAnswer.changed': { userIds: readonly string[] | null }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends ReadyAnswerEvents {}
}
