/** Values of `conversation.archived`: which lists show it. */
export const archiveStates = { open: 0, archived: 1, snoozed: 2 } as const
