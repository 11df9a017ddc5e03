/** Values of `conversation.archived`: in which lists it stands. */
export const placeIn = { open: 0, archived: 1, snoozed: 2 } as const
