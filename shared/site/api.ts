import { type Static, Type } from 'typebox'
import { AuditChange, auditKeptDays, siteActions } from '#shared/audit/api.ts'
import { maxSessions, SignedInSession } from '#shared/auth/sessions.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'

export const sitePeoplePerPage = 50
export const siteEntriesPerPage = 50
/** The most of a person's organizations that the list shows. */
export const siteOrgsListed = 20
export const banReasonMaxChars = 300

export const SitePerson = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  createdAt: Timestamp,
  isAdmin: Type.Boolean({ description: 'True: a site administrator.' }),
  ban: Nullable(
    Type.Object({
      reason: Nullable(Type.String()),
      endsAt: Nullable(Type.String({ description: 'ISO 8601 UTC; null: the ban does not end by itself.' })),
    }),
  ),
  sessions: Type.Integer({ minimum: 0, description: 'Number of sessions.' }),
  lastUsedAt: Nullable(Type.String({ description: 'ISO 8601 UTC, to the hour; null: not signed in.' })),
  organizations: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String(), role: Type.String() }),
    { description: `By name, at most ${siteOrgsListed}.` },
  ),
})
export type SitePerson = Static<typeof SitePerson>

const SiteEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  action: Type.Enum([...siteActions]),
  who: Type.Object({ id: Type.String(), name: Type.String({ description: 'At that time.' }) }),
  subject: Type.String({ description: 'The address of the account.' }),
  changes: Type.Array(AuditChange),
  address: Nullable(Type.String({ description: 'IP address it came from.' })),
  browser: Nullable(Type.String()),
  system: Nullable(Type.String()),
  isDone: Type.Boolean({
    description: 'False: the action was started, and the server stopped before its outcome was known.',
  }),
})
export type SiteEntry = Static<typeof SiteEntry>

const id = Type.String({ minLength: 1, maxLength: 64 })

/** Banning, unbanning, ending sessions and impersonating are calls of better-auth: `/api/auth/admin/…`. */
export const siteApi = {
  listPeople: endpoint({
    method: 'GET',
    path: '/site/people',
    access: 'person',
    siteAdmin: true,
    query: Type.Object(
      {
        search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name or the address.' })),
        banned: Type.Optional(Type.Boolean({ description: 'True: only banned users.' })),
        after: Type.Optional(
          Type.String({
            maxLength: 320,
            description: 'Email address of the last person received, to get the next page.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({ items: Type.Array(SitePerson), hasMore: Type.Boolean() }),
    summary: `All users by email address, ${sitePeoplePerPage} at a time, with their organizations.`,
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/site/people/:id/sessions',
    access: 'person',
    siteAdmin: true,
    params: Type.Object({ id }, { additionalProperties: false }),
    reply: Type.Object({ items: Type.Array(SignedInSession) }),
    refuses: [404],
    summary: `The sessions of a user, most recently used first, at most ${maxSessions}.`,
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/site/people/:id/sessions/:sessionId',
    access: 'person',
    siteAdmin: true,
    params: Type.Object({ id, sessionId: id }, { additionalProperties: false }),
    reply: Done,
    refuses: [404],
    summary:
      "Ends one session of a user, with its live stream. The audit logs of the site and of the user's organizations record it.",
  }),
  listEntries: endpoint({
    method: 'GET',
    path: '/site/audit',
    access: 'person',
    siteAdmin: true,
    query: Type.Object(
      {
        before: Type.Optional(
          Type.String({
            pattern: '^[0-9a-z]{24}$',
            description: 'Id of the last entry received, to get the next page.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({ items: Type.Array(SiteEntry), hasMore: Type.Boolean() }),
    summary: `What site administrators did to accounts, newest first, ${siteEntriesPerPage} at a time; kept for ${auditKeptDays} days.`,
  }),
} as const
