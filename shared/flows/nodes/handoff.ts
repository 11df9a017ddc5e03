import { Type } from 'typebox'
import { type ContentOf, Reference, Text } from './fields.ts'
import type { NodeKind } from './kind.ts'

export const handoffFields = {
  message: Type.Optional(Text),
  note: Type.Optional(Type.String({ maxLength: 1000, description: 'For the team; may hold variables.' })),
  teamId: Type.Optional(Reference),
  userId: Type.Optional(Reference),
  hours: Type.Optional(
    Type.Boolean({ description: 'Outside business hours it goes on at the handle `closed` instead.' }),
  ),
}
type Handoff = ContentOf<typeof handoffFields>

/** Hands the conversation to a person. */
export const handoff: NodeKind<Handoff> = {
  defaults: {},
  outputs: ({ hours }) => (hours ? ['closed'] : []),
  speech: ({ message }) => message || undefined,
  texts: ({ message = '', note = '' }) => [
    { field: 'message', text: message },
    { field: 'note', text: note },
  ],
  problems: ({ teamId, userId }, { facts }) => [
    ...(!teamId || facts.teamIds.includes(teamId) ? [] : [{ field: 'teamId', code: 'teamUnknown' } as const]),
    ...(!userId || facts.memberIds.includes(userId) ? [] : [{ field: 'userId', code: 'memberUnknown' } as const]),
  ],
  uses: ({ teamId, userId, hours }) => ({
    teamIds: teamId ? [teamId] : [],
    memberIds: userId ? [userId] : [],
    ...(hours ? { facts: ['hours'] } : {}),
  }),
}
