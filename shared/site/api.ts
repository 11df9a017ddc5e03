import { type Static, Type } from 'typebox'
import { AuditChange, auditKeptDays, siteActions } from '#shared/audit/api.ts'
import { maxSessions, SignedInSession } from '#shared/auth/sessions.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'

export const sitePeoplePerPage = 50
export const siteEntriesPerPage = 50
/** How many of a person's organizations the list shows. */
export const siteOrgsListed = 20
export const banReasonMaxChars = 300

export const SitePerson = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  createdAt: Timestamp,
  isAdmin: Type.Boolean({ description: 'An administrator of the site.' }),
  ban: Nullable(
    Type.Object({
      reason: Nullable(Type.String()),
      endsAt: Nullable(Type.String({ description: 'ISO 8601 UTC; null: never by itself.' })),
    }),
  ),
  sessions: Type.Integer({ minimum: 0, description: 'In how many browsers they are signed in.' }),
  lastUsedAt: Nullable(Type.String({ description: 'ISO 8601 UTC, to the hour; null: signed in nowhere.' })),
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
    description: 'False: it was begun, and the server ended before it was known whether it was done.',
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
        banned: Type.Optional(Type.Boolean({ description: 'True: only those who are shut out.' })),
        after: Type.Optional(Type.String({ maxLength: 320, description: 'Address of the last person that is there.' })),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({ items: Type.Array(SitePerson), hasMore: Type.Boolean() }),
    summary: `Everybody with an account by address, ${sitePeoplePerPage} at a time, with their organizations.`,
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/site/people/:id/sessions',
    access: 'person',
    siteAdmin: true,
    params: Type.Object({ id }, { additionalProperties: false }),
    reply: Type.Object({ items: Type.Array(SignedInSession) }),
    refuses: [404],
    summary: `Where somebody is signed in: the last used first, at most ${maxSessions}.`,
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/site/people/:id/sessions/:sessionId',
    access: 'person',
    siteAdmin: true,
    params: Type.Object({ id, sessionId: id }, { additionalProperties: false }),
    reply: Done,
    refuses: [404],
    summary: 'Ends one session of somebody, with its live stream. It is written down, here and in their organizations.',
  }),
  listEntries: endpoint({
    method: 'GET',
    path: '/site/audit',
    access: 'person',
    siteAdmin: true,
    query: Type.Object(
      {
        before: Type.Optional(
          Type.String({ pattern: '^[0-9a-z]{24}$', description: 'Id of the last entry that is there.' }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({ items: Type.Array(SiteEntry), hasMore: Type.Boolean() }),
    summary: `What administrators of the site did to accounts, newest first, ${siteEntriesPerPage} at a time; kept for ${auditKeptDays} days.`,
  }),
} as const
