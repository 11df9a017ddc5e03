import { optInContacts, optOutContacts, resolveContactIds } from '#server/messaging/contacts/opt-outs.ts'
import { sendAutomaticText } from '#server/messaging/sending/automatic.ts'
import { filledFor } from '#server/messaging/sending/filled-text.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { marketingChoiceField } from '#server/whatsapp/fields/marketing-choices.ts'
import { createOptOuts } from './opt-outs.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    optOuts: Pick<ReturnType<typeof createOptOuts>, 'wordsIn'>
  }
}

export const optOuts = defineFeature({
  name: 'opt-outs',
  needs: ['outbox', 'keptMarks', 'orgSettings'],
  subscribesTo: { useful: [marketingChoiceField] },
  create(parts) {
    const { clock, ids, outbox, keptMarks, orgSettings } = parts
    const optOuts = createOptOuts({
      ...parts,
      readLanguage: (orgId, db) => orgSettings.read(orgId, 'language', db),
      optOut: optOutContacts,
      optIn: optInContacts,
      async answer(write, { conversationId, text }) {
        const filled = await filledFor(write, { conversationId, text }, orgSettings.readVariables)
        await sendAutomaticText(write, { conversationId, text: filled, part: 'optOuts' }, { clock, ids, outbox })
      },
      resolveContactIds: (write, senders) =>
        resolveContactIds(write, senders, { clock, ids, takeKept: keptMarks.take }),
      isoNow: () => isoNow(clock),
    })
    return {
      provides: { optOuts },
      services: { optOuts: optOuts.service },
      listeners: [optOuts.keywords, optOuts.refusals],
      takers: [{ feature: 'opt-outs', fields: [marketingChoiceField], apply: optOuts.applyChoices }],
    }
  },
})
