import type { FileException } from './exception.ts'

/* Files that call the network, set timers, take random values or read the time by themselves. */

export const network: readonly FileException[] = [
  { where: ['server/whatsapp/graph/graph.ts', 'server/whatsapp/graph/graph-connections.ts'], why: 'the Cloud API' },
  { where: ['server/simulator/webhooks/http-delivery.ts'], why: "the simulator's webhooks to this server" },
  {
    where: ['server/platform/outbound/outbound.ts'],
    why: 'requests to addresses that people enter; only public addresses are allowed',
  },
  { where: ['server/platform/storage/s3-client.ts'], why: 'the S3 storage named in the environment' },
  {
    where: ['client/app/calls/api.ts', 'client/app/calls/auth-api.ts'],
    why: "calls of the API's contracts and of better-auth",
  },
  { where: ['client/app/calls/live.ts'], why: 'the event stream' },
  {
    where: ['client/app/calls/upload.ts'],
    why: 'uploads that show progress, and downloads of files that are sent again',
  },
  { where: ['client/app/preferences/i18n.ts'], why: 'loads the texts of another language' },
  {
    where: ['client/app/hydration/missing-part.ts', 'client/app/hydration/stuck-page.ts'],
    why: 'checks whether the server responds after a script failed to load',
  },
  { where: ['client/public/sw.js'], why: 'the service worker' },
  {
    where: ['client/public/api-reference.js'],
    why: 'loads pages of the API reference and runs the calls that a reader tries',
  },
  { where: ['server/web/reference/samples.ts'], why: 'prints example programs; makes no request' },
]

export const timers: readonly FileException[] = [
  {
    where: ['server/platform/jobs/'],
    why: 'the job runner: waits for the next due job, renews leases, and limits how long a shutdown takes',
  },
  {
    where: ['server/messaging/intake/derive.ts'],
    why: 'applies stored webhooks in order under a lease; waits for the next due row, so a restart loses nothing',
  },
  {
    where: ['server/features/upstream/chats.ts'],
    why: 'a page waits briefly for the product API, then shows what is known',
  },
  {
    where: ['server/features/upstream/events/stream.ts'],
    why: 'keeps one connection open under a lease: reconnects after a pause, and gives up a connection that receives no byte',
  },
  {
    where: ['server/identity/api-calls/recorder.ts'],
    why: 'writes the API calls of a few seconds in one commit; a crash may lose those not yet written',
  },
  {
    where: ['server/identity/orgs/removal/removal.ts'],
    why: 'pauses between batches of a deletion so that other writes can run',
  },
  { where: ['server/features/exports/downloads.ts'], why: 'ends a download whose client stopped reading' },
  { where: ['server/web/assets.ts'], why: 'runs in the page: loads its scripts after the first paint' },
  {
    where: ['server/platform/storage/s3-client.ts'],
    why: 'retries a storage request while the caller waits',
  },
  { where: ['server/messaging/intake/pace.ts'], why: 'pauses between slices of work so that requests can run' },
  {
    where: ['server/messaging/intake/journal.ts'],
    why: 'collects webhooks for a few milliseconds into one commit; their senders get the response after it',
  },
  {
    where: [
      'server/messaging/search/indexing.ts',
      'server/features/stats/segments/updater.ts',
      'server/features/stats/cost/updater.ts',
    ],
    why: 'pauses between slices so that other writes can run',
  },
  { where: ['server/messaging/live/hub.ts', 'server/messaging/live/routes.ts'], why: 'heartbeats of open streams' },
  {
    where: ['server/messaging/live/short-lived.ts'],
    why: 'deletes short-lived rows after minutes; the hourly cleanup deletes those of a process that died',
  },
  {
    where: ['server/messaging/outbox/spacing.ts'],
    why: 'waits until the next second once the rate limit is used up; every waiting message is a row',
  },
  {
    where: ['server/platform/db/postgres/signals.ts'],
    why: 'a notification of another process can be lost, so listeners also poll each second',
  },
  {
    where: ['server/platform/db/sqlite/lock-waiting-driver.ts'],
    why: 'waits some milliseconds for the lock of another process',
  },
  { where: ['server/main.ts'], why: 'exits if the shutdown hangs' },
  {
    where: ['server/platform/http/plugins/health.ts', 'server/web/render.ts', 'server/whatsapp/graph/call-endings.ts'],
    why: 'gives up a request that gets no answer in time',
  },
  {
    where: ['server/platform/http/plugins/idempotency.ts'],
    why: 'retries storing a response for half a minute; after that the row counts the key as abandoned',
  },
  { where: ['server/simulator/faults/breakage.ts'], why: 'simulates a network that hangs' },
  {
    where: ['server/features/gateway/files.ts'],
    why: 'polls until a file that a program asked for has been downloaded',
  },
  { where: ['client/'], why: 'a page cannot store rows; whatever must survive it is on the server' },
]

export const chance: readonly FileException[] = [
  { where: ['server/platform/crypto/random.ts'], why: 'the only source of randomness' },
  {
    where: ['client/app/calls/live.ts', 'client/app/queries/queries.ts'],
    why: 'spreads reconnects and refetches of many tabs',
  },
  {
    where: ['client/inbox/thread/thread-acts.ts', 'client/inbox/thread/bubble/forward-dialog.tsx'],
    why: 'the idempotency key of a send',
  },
  {
    where: ['client/inbox/composer/drafts/team-drafts.tsx'],
    why: 'identifies the open page that saved a draft, so that it ignores its own event',
  },
  { where: ['client/simulator/new-customer.ts'], why: 'makes up a customer for the simulator' },
  { where: ['client/admin/sso/draft.ts'], why: "the form shows the provider's id before it is saved" },
  { where: ['client/flows/editor/draft/part-id.ts'], why: 'ids of nodes that are not stored yet' },
  {
    where: ['client/templates/builder/form.ts'],
    why: 'React keys of rows that are not stored yet, and the idempotency key of a send',
  },
  {
    where: [
      'client/templates/send-dialog.tsx',
      'client/bulk-sends/create/plan/use-planned.ts',
      'client/bulk-sends/create/confirm/test-send.tsx',
    ],
    why: 'the idempotency key of a template message',
  },
  {
    where: ['client/scheduled-messages/form.tsx', 'client/inbox/kinds/compose-dialog.tsx'],
    why: 'the idempotency key of a message or a scheduled message',
  },
]

export const time: readonly FileException[] = [
  { where: ['server/platform/time/clock.ts'], why: 'the only clock' },
  {
    where: ['server/platform/crypto/ids.ts'],
    why: "ids sort by creation time; with a test's fixed clock two ids could be equal",
  },
  {
    where: [
      'client/app/hydration/early.ts',
      'client/app/calls/live.ts',
      'client/public/api-reference.js',
      'client/inbox/composer/use-composer-sending.ts',
      'client/notifications/',
      'client/shell/tooltips.ts',
      'client/ui/text/moment.tsx',
    ],
    why: "measures how long something has been on screen, which needs the browser's clock",
  },
]
