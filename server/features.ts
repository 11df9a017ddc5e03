import { audit } from '#server/features/audit/feature.ts'
import { bulkSends } from '#server/features/bulk-sends/feature.ts'
import { erasures } from '#server/features/erasures/feature.ts'
import { exports } from '#server/features/exports/feature.ts'
import { flows } from '#server/features/flows/feature.ts'
import { gateway } from '#server/features/gateway/feature.ts'
import { history } from '#server/features/history/feature.ts'
import { imports } from '#server/features/imports/feature.ts'
import { incomingHooks } from '#server/features/incoming-hooks/feature.ts'
import { mcp } from '#server/features/mcp/feature.ts'
import { notifications } from '#server/features/notifications/feature.ts'
import { optOuts } from '#server/features/opt-outs/feature.ts'
import { outgoingWebhooks } from '#server/features/outgoing-webhooks/feature.ts'
import { push } from '#server/features/push/feature.ts'
import { readyAnswers } from '#server/features/ready-answers/feature.ts'
import { savedViews } from '#server/features/saved-views/feature.ts'
import { stats } from '#server/features/stats/feature.ts'
import { upstream } from '#server/features/upstream/feature.ts'
import { apiCalls } from '#server/identity/api-calls/feature.ts'
import { auth } from '#server/identity/auth/feature.ts'
import { numbers } from '#server/identity/numbers/feature.ts'
import { orgs } from '#server/identity/orgs/feature.ts'
import { site } from '#server/identity/site/feature.ts'
import { visibility } from '#server/identity/visibility/feature.ts'
import { actions } from '#server/messaging/actions/feature.ts'
import { assignment } from '#server/messaging/assignment/feature.ts'
import { contacts } from '#server/messaging/contacts/feature.ts'
import { drafts } from '#server/messaging/drafts/feature.ts'
import { imported } from '#server/messaging/imported/feature.ts'
import { inbox } from '#server/messaging/inbox/feature.ts'
import { intake } from '#server/messaging/intake/feature.ts'
import { live } from '#server/messaging/live/feature.ts'
import { media } from '#server/messaging/media/feature.ts'
import { messages } from '#server/messaging/messages/feature.ts'
import { notes } from '#server/messaging/notes/feature.ts'
import { outbox } from '#server/messaging/outbox/feature.ts'
import { people } from '#server/messaging/people/feature.ts'
import { scheduledMessages } from '#server/messaging/scheduled-messages/feature.ts'
import { search } from '#server/messaging/search/feature.ts'
import { snoozes } from '#server/messaging/snoozes/feature.ts'
import { tags } from '#server/messaging/tags/feature.ts'
import { templates } from '#server/messaging/templates/feature.ts'
import { windowTemplates } from '#server/messaging/window-templates/feature.ts'
import type { PartName, ProvidedBy } from '#server/platform/wiring/feature.ts'
import { simulator } from '#server/simulator/feature.ts'
import { whatsapp } from '#server/whatsapp/feature.ts'

/** The product's table of contents, in the order in which it is built: a feature stands behind those it needs. */
export const features = [
  // Who sees what, who is notified, and what is recorded.
  whatsapp,
  audit,
  visibility,
  live,
  notifications,
  push,
  // Organizations, people, and the numbers they have.
  orgs,
  auth,
  apiCalls,
  site,
  simulator,
  numbers,
  // Conversations.
  erasures,
  media,
  outbox,
  tags,
  assignment,
  actions,
  templates,
  snoozes,
  inbox,
  messages,
  imported,
  contacts,
  people,
  notes,
  drafts,
  scheduledMessages,
  windowTemplates,
  search,
  intake,
  // What is built on conversations.
  savedViews,
  readyAnswers,
  outgoingWebhooks,
  // What is built for programs that speak Meta's API.
  gateway,
  // What is built on all of these.
  optOuts,
  bulkSends,
  history,
  flows,
  incomingHooks,
  stats,
  exports,
  imports,
  mcp,
  // A product API that answers instead of our database.
  upstream,
] as const

/** Parts that `wiring.ts` makes of what all features contribute. */
type Collected = 'wantedFields' | 'webhookTakers'
type Nothing<T extends never> = T
/** Does not compile while a part is declared that no feature provides; the error names it. */
export type PartsWithoutProvider = Nothing<Exclude<PartName, ProvidedBy<(typeof features)[number]> | Collected>>
