import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'

/** The most sessions that are listed, last used first. */
export const maxSessions = 100

/** A browser in which a person is signed in, without its token. */
export const SignedInSession = Type.Object({
  id: Type.String(),
  browser: Nullable(Type.String({ description: 'Read from its user agent; null: not recognized.' })),
  system: Nullable(Type.String()),
  address: Nullable(Type.String({ description: 'IP address it signed in from.' })),
  signedInAt: Timestamp,
  lastUsedAt: Type.String({ format: 'date-time', description: 'To the hour.' }),
  isCurrent: Type.Boolean({ description: 'The session of this call.' }),
  isBorrowed: Type.Boolean({
    description: 'The session belongs to a site administrator who impersonates this person.',
  }),
  isHalfDone: Type.Boolean({ description: 'The second factor is missing: the session has access to nothing.' }),
})
export type SignedInSession = Static<typeof SignedInSession>

export const sessionsApi = {
  listSessions: endpoint({
    method: 'GET',
    path: '/account/sessions',
    access: 'person',
    reply: Type.Object({ items: Type.Array(SignedInSession) }),
    summary: `The sessions of the caller: this session, then the most recently used first, at most ${maxSessions}.`,
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/account/sessions/:id',
    access: 'person',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false }),
    reply: Done,
    refuses: [404],
    summary: 'Ends one session of the caller, with its live stream.',
  }),
} as const
