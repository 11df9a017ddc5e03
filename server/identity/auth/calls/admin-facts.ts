import type { AllowedPath } from './allowed-routes.ts'
import { arraySchema, type CallFact, object, ref, success } from './call-fact.ts'
import { NameSession, NameUser, SetUserPassword } from './schemas.ts'

/** The calls of site administrators about the accounts of others. */
export const adminFacts = {
  '/admin/list-users': { access: 'siteAdmin', summary: 'The users of the installation.' },
  '/admin/create-user': {
    access: 'siteAdmin',
    summary: 'Creates an account; with a password it also gets a username derived from the address.',
  },
  '/admin/set-role': { access: 'siteAdmin', summary: 'Makes a user a site administrator, or revokes that.' },
  '/admin/ban-user': { access: 'siteAdmin', summary: 'Bans a user.' },
  '/admin/unban-user': { access: 'siteAdmin', summary: 'Lifts the ban of a user.' },
  '/admin/remove-user': { access: 'siteAdmin', summary: 'Deletes an account.' },
  '/admin/impersonate-user': { access: 'siteAdmin', summary: 'Starts impersonating another user.' },
  '/admin/stop-impersonating': {
    access: 'person',
    summary: 'Stops impersonating another user.',
    reply: object({ session: ref('Session'), user: ref('User') }),
  },
  '/admin/revoke-user-sessions': { access: 'siteAdmin', summary: 'Ends all sessions of a user.' },
  '/admin/revoke-user-session': {
    access: 'siteAdmin',
    summary: 'Ends one session of a user, by its id.',
    body: NameSession,
    reply: success,
    refuses: [404],
  },
  '/admin/list-user-sessions': {
    access: 'siteAdmin',
    summary: 'The sessions of a user. `token` is the id of the session, for ending it; it is not a credential.',
    body: NameUser,
    reply: object({ sessions: arraySchema({ type: 'object' }) }),
    refuses: [404],
  },
  '/admin/set-user-password': {
    access: 'siteAdmin',
    summary: 'Sets the password of a user, and a username if there is none; the user is notified by mail.',
    body: SetUserPassword,
    reply: object({ status: { type: 'boolean' } }),
    refuses: [404],
  },
  '/admin/has-permission': { access: 'person', summary: 'Whether the caller may do something on the whole site.' },
} satisfies Partial<Record<AllowedPath, CallFact>>
