import { listOwnNumbers } from '#server/messaging/sending/to-many.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import type { AppliedWebhooks } from './applied.ts'
import { createDeliveries } from './deliveries/service.ts'
import { createDerive, type Derive } from './derive.ts'
import { createJournal, type Journal, pruneJournal } from './journal.ts'
import type { WebhookTaker, WebhookTakers } from './takers.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    journal: Journal
    derive: Derive
    /** Built from the `takers` of all features. */
    webhookTakers: WebhookTakers
    /** Hears of webhooks that were applied. */
    appliedWebhooks: AppliedWebhooks
  }
  interface Contributions {
    /** The items of WhatsApp's webhooks that the feature handles. */
    readonly takers?: readonly WebhookTaker[]
  }
}

export const intake = defineFeature({
  name: 'intake',
  needs: ['numbers'],
  later: ['webhookTakers', 'appliedWebhooks'],
  create(parts, later) {
    const { databases, jobs } = parts
    const journal = createJournal(parts)
    const takers = { of: (item: WebhookItem) => later.webhookTakers.of(item) }
    const appliedWebhooks: AppliedWebhooks = {
      applied: (...heard) => later.appliedWebhooks.applied(...heard),
    }
    const derive = createDerive({ ...parts, lease: jobs.lease('journal'), journal, takers, appliedWebhooks })
    return {
      provides: { journal, derive },
      services: { deliveries: createDeliveries({ ...parts, derive, listNumbers: listOwnNumbers }) },
      chores: [{ name: 'webhook journal', run: now => pruneJournal(databases, now) }],
      start: () => derive.start(),
      stop: () => derive.stop(),
    }
  },
})
