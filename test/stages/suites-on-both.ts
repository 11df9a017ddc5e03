/**
 * Suites that `npm test` runs on PostgreSQL as well: of each room one that goes through its stores, what counts on
 * transactions, order and locks, and the laws about who sees what.
 *
 * | What is not here | Why |
 * |---|---|
 * | plans, `test/server/database`, migrations, health | ask what is SQLite's own; `conformance.ts` runs on both by itself |
 * | client, shared, laws, texts, pure functions | have no statements |
 * | bulk sends, tags, sign-in by code and password, account | hold there, left out for their time; one plays its fault by a trigger |
 * | index of words, webhooks of thousands of updates | hold there, in minutes: each test commits thousands of times |
 * | backup, restore, seed | `test/server/cli/move.test.ts` opens both engines |
 */
export const suitesOnBoth: readonly string[] = [
  'test/bad-input.test.ts',
  'test/isolation.test.ts',
  'test/keys.test.ts',
  'test/second-factor.test.ts',
  'test/server/audit/audit.test.ts',
  'test/server/auth/better-auth.test.ts',
  'test/server/auth/owners.test.ts',
  'test/server/auth/profile.test.ts',
  'test/server/auth/routes.test.ts',
  'test/server/auth/session-list.test.ts',
  'test/server/auth/sso/providers.test.ts',
  'test/server/auth/sso/sign-in.test.ts',
  'test/server/bulk-sends/care.test.ts',
  'test/server/bulk-sends/cost.test.ts',
  'test/server/erasures/erasures.test.ts',
  'test/server/events/delivery.test.ts',
  'test/server/flows/contact-set.test.ts',
  'test/server/flows/flows.test.ts',
  'test/server/flows/http.test.ts',
  'test/server/flows/origins.test.ts',
  'test/server/flows/own-phone.test.ts',
  'test/server/flows/replay.test.ts',
  'test/server/flows/sessions.test.ts',
  'test/server/flows/subflows.test.ts',
  'test/server/flows/templates.test.ts',
  'test/server/history/history.test.ts',
  'test/server/inbox/contacts/blocking.test.ts',
  'test/server/inbox/contacts/details.test.ts',
  'test/server/inbox/contacts/fields.test.ts',
  'test/server/inbox/conversations/change-many.test.ts',
  'test/server/inbox/internal/notes.test.ts',
  'test/server/inbox/isolation.test.ts',
  'test/server/inbox/people/giving.test.ts',
  'test/server/inbox/people/presence.test.ts',
  'test/server/inbox/scheduled/scheduled.test.ts',
  'test/server/inbox/people/releases.test.ts',
  'test/server/inbox/service.test.ts',
  'test/server/inbox/several-numbers.test.ts',
  'test/server/intake/routes.test.ts',
  'test/server/jobs/jobs.test.ts',
  'test/server/live/hub.test.ts',
  'test/server/media/fetcher.test.ts',
  'test/server/notifications/service.test.ts',
  'test/server/numbers/adding-calls.test.ts',
  'test/server/numbers/service.test.ts',
  'test/server/opt-outs/opt-outs.test.ts',
  'test/server/orgs/members.test.ts',
  'test/server/orgs/ownership.test.ts',
  'test/server/orgs/removal.test.ts',
  'test/server/orgs/retention.test.ts',
  'test/server/orgs/settings.test.ts',
  'test/server/outbox/outbox.test.ts',
  'test/server/plugins/idempotency.test.ts',
  'test/server/plugins/session.test.ts',
  'test/server/push/push.test.ts',
  'test/server/templates/templates.test.ts',
  'test/server/whatsapp/sandbox/sandbox.test.ts',
  'test/sso-demand.test.ts',
  'test/visibility.test.ts',
  'test/walls.test.ts',
]
