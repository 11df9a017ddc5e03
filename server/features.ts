import { audit } from './features/audit/feature.ts'
import { bulkSends } from './features/bulk-sends/feature.ts'
import { erasures } from './features/erasures/feature.ts'
import { exports } from './features/exports/feature.ts'
import { flows } from './features/flows/feature.ts'
import { gateway } from './features/gateway/feature.ts'
import { history } from './features/history/feature.ts'
import { imports } from './features/imports/feature.ts'
import { incomingHooks } from './features/incoming-hooks/feature.ts'
import { mcp } from './features/mcp/feature.ts'
import { notifications } from './features/notifications/feature.ts'
import { optOuts } from './features/opt-outs/feature.ts'
import { outgoingWebhooks } from './features/outgoing-webhooks/feature.ts'
import { push } from './features/push/feature.ts'
import { readyAnswers } from './features/ready-answers/feature.ts'
import { savedViews } from './features/saved-views/feature.ts'
import { stats } from './features/stats/feature.ts'
import { upstream } from './features/upstream/feature.ts'
import { apiCalls } from './identity/api-calls/feature.ts'
import { auth } from './identity/auth/feature.ts'
import { numbers } from './identity/numbers/feature.ts'
import { orgs } from './identity/orgs/feature.ts'
import { site } from './identity/site/feature.ts'
import { visibility } from './identity/visibility/feature.ts'
import { actions } from './messaging/actions/feature.ts'
import { assignment } from './messaging/assignment/feature.ts'
import { contacts } from './messaging/contacts/feature.ts'
import { drafts } from './messaging/drafts/feature.ts'
import { imported } from './messaging/imported/feature.ts'
import { inbox } from './messaging/inbox/feature.ts'
import { intake } from './messaging/intake/feature.ts'
import { live } from './messaging/live/feature.ts'
import { media } from './messaging/media/feature.ts'
import { messages } from './messaging/messages/feature.ts'
import { notes } from './messaging/notes/feature.ts'
import { outbox } from './messaging/outbox/feature.ts'
import { people } from './messaging/people/feature.ts'
import { scheduledMessages } from './messaging/scheduled-messages/feature.ts'
import { search } from './messaging/search/feature.ts'
import { snoozes } from './messaging/snoozes/feature.ts'
import { tags } from './messaging/tags/feature.ts'
import { templates } from './messaging/templates/feature.ts'
import { windowTemplates } from './messaging/window-templates/feature.ts'
import type { PartName, ProvidedBy } from './platform/wiring/feature.ts'
import { simulator } from './simulator/feature.ts'
import { whatsapp } from './whatsapp/feature.ts'

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
  // Programs that speak Meta's API.
  gateway,
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
