/**
 * Suites that `npm test` runs on PostgreSQL as well: of each room one that goes through its stores, what counts on
 * transactions, order and locks, and the laws about who sees what.
 *
 * | What is not here | Why |
 * |---|---|
 * | plans, `test/server/database`, migrations, health | ask what is SQLite's own; `conformance.ts` runs on both by itself |
 * | client, shared, laws, texts, pure functions | have no statements |
 * | isolation, second factor | hold there, left out for their time: what they ask, `visibility` and `keys` ask in part |
 * | walls, bad input, SSO | minutes long: nobody has run them there to their end |
 * | bulk sends, tags, sign-in by code and password, account | hold there, left out for their time |
 * | index of words, webhooks of thousands of updates | hold there, in minutes: each test commits thousands of times |
 * | backup, restore, seed | `test/server/cli/move.test.ts` opens both engines |
 */
export const suitesOnBoth: readonly string[] = [
  'test/keys.test.ts',
  'test/server/auth/better-auth.test.ts',
  'test/server/auth/owners.test.ts',
  'test/server/auth/routes.test.ts',
  'test/server/auth/session-list.test.ts',
  'test/server/events/delivery.test.ts',
  'test/server/inbox/people/releases.test.ts',
  'test/server/inbox/service.test.ts',
  'test/server/inbox/several-numbers.test.ts',
  'test/server/intake/routes.test.ts',
  'test/server/jobs/jobs.test.ts',
  'test/server/live/hub.test.ts',
  'test/server/media/fetcher.test.ts',
  'test/server/notifications/service.test.ts',
  'test/server/numbers/service.test.ts',
  'test/server/orgs/members.test.ts',
  'test/server/orgs/removal.test.ts',
  'test/server/outbox/outbox.test.ts',
  'test/server/plugins/idempotency.test.ts',
  'test/server/plugins/session.test.ts',
  'test/server/push/push.test.ts',
  'test/server/templates/templates.test.ts',
  'test/server/whatsapp/sandbox/sandbox.test.ts',
  'test/visibility.test.ts',
]
