import { colleagues } from '#server/messaging/people/colleagues.ts'
import { type ActionSending, createActionSending } from '#server/messaging/sending/asked-action.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createActionIds } from './ids.ts'
import { createTaps } from './taps.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    /** Sends buttons that trigger actions. */
    actions: ActionSending
    /** Runs a button's action when a customer taps it. */
    taps: Pick<ReturnType<typeof createTaps>, 'actionOf' | 'takeFlow'>
  }
}

export const actions = defineFeature({
  name: 'actions',
  needs: ['outbox', 'tags', 'choosing', 'orgSettings'],
  later: ['flows', 'outgoingWebhooks'],
  create(parts, later) {
    const { hashes, tags, orgSettings } = parts
    const actionIds = createActionIds(hashes.hash, hashes.former)
    const taps = createTaps({
      ...parts,
      actionIds,
      readLanguage: (orgId, db) => orgSettings.read(orgId, 'language', db),
      callWebhook: (...of) => later.outgoingWebhooks.send(...of),
    })
    const sending = createActionSending({
      idOf: actionIds.idOf,
      hasTag: tags.has,
      hasTeam: colleagues.hasTeam,
      isFlowLive: (db, orgId, id) => later.flows.isLive(db, orgId, id),
      hasWebhook: (db, orgId, name) => later.outgoingWebhooks.isActive(db, orgId, name),
    })
    return { provides: { actions: sending, taps }, listeners: [taps.listener] }
  },
})
