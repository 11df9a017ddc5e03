import { Type } from 'typebox'
import { type ContentOf, Reference, Text } from './fields.ts'
import type { NodeKind } from './kind.ts'

export const handoffFields = {
  message: Type.Optional(Text),
  note: Type.Optional(Type.String({ maxLength: 1000, description: 'For the team; may hold variables.' })),
  teamId: Type.Optional(Reference),
  userId: Type.Optional(Reference),
  hours: Type.Optional(
    Type.Boolean({ description: 'Outside business hours the flow continues at the handle `closed` instead.' }),
  ),
}
type Handoff = ContentOf<typeof handoffFields>

/** Hands the conversation to a person. */
export const handoff: NodeKind<Handoff> = {
  icon: 'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM2.500 20c.8-4 3.200-6 6.500-6 1.500 0 2.800.4 3.800 1.200M14 18h7m-3-3 3 3-3 3',
  tone: 'person',
  summary({ userId, teamId }, t, names) {
    const name = userId ? names.members.get(userId) : teamId ? names.teams.get(teamId) : undefined
    return name ? t('says.handoffTo', { name }) : t('says.handoff')
  },
  defaults: {},
  outputs: ({ hours }) => (hours ? ['closed'] : []),
  messageText: ({ message }) => message || undefined,
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
