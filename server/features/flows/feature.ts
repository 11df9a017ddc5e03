import {
  changeBotControl,
  handOver,
  listTagIds,
  readCustomers,
  readForBot,
  tagAsBot,
} from '#server/messaging/automation/bot-changes.ts'
import { changeContactAsBot } from '#server/messaging/contacts/contact-details.ts'
import { readFilledOf } from '#server/messaging/contacts/field-values.ts'
import { requireChat } from '#server/messaging/conversations/chat.ts'
import { colleagues } from '#server/messaging/people/colleagues.ts'
import { sendAsBot } from '#server/messaging/sending/as-bot.ts'
import { sendAutomaticText } from '#server/messaging/sending/automatic.ts'
import { nameContact } from '#server/messaging/sending/first-message.ts'
import { cancelQueued, listOwnNumbers } from '#server/messaging/sending/to-many.ts'
import { showTypingAsBot } from '#server/messaging/sending/typing.ts'
import { templateFreezing } from '#server/messaging/templates/freezing.ts'
import type { Db } from '#server/platform/db/database.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createFlows } from './flows.ts'
import { mountFlowHooks } from './hooks/hook-routes.ts'
import { encryptedHooks } from './hooks/hooks.ts'
import { countBetween } from './runs/day-store.ts'
import { createFunnel } from './runs/flow-figures.ts'
import { keepsSecrets, sealedFlowSecrets } from './secrets.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    flows: Pick<ReturnType<typeof createFlows>, 'incoming' | 'isLive' | 'readAhead'> & {
      /** Counts of each flow in a range of days. */
      readonly countBetween: typeof countBetween
      readonly readFunnel: ReturnType<typeof createFunnel>
      /** Starts a flow for a program, in its transaction. */
      readonly start: ReturnType<typeof createFlows>['hooks']['start']
    }
  }
}

export const flows = defineFeature({
  name: 'flows',
  needs: [
    'outbox',
    'tags',
    'choosing',
    'taps',
    'keptMarks',
    'businessHours',
    'orgSettings',
    'readOrgPhone',
    'optOuts',
    'bulkSends',
  ],
  encryptedColumns: [sealedFlowSecrets, encryptedHooks],
  hasSealedRows: keepsSecrets,
  create(parts) {
    const { clock, ids, config, translate, idempotency, outbox, tags, choosing, taps } = parts
    const { businessHours, orgSettings, optOuts, bulkSends } = parts
    const takeKept = parts.keptMarks.take
    const inboxParts = { clock, ids, outbox, tags, choosing }
    const readLanguage = (orgId: string, db: Db) => orgSettings.read(orgId, 'language', db)
    const flows = createFlows({
      ...parts,
      hasSend: bulkSends.hasSend,
      findUnanswered: bulkSends.findUnanswered,
      colleagues,
      isOpen: businessHours.isOpenAt,
      readOpening: businessHours.readOpening,
      readTimeZone: (orgId, db) => orgSettings.read(orgId, 'timeZone', db),
      readOrgVariables: orgSettings.readVariables,
      readListLabel: async (orgId, db) => translate(await readLanguage(orgId, db), 'flows:listLabel'),
      templates: templateFreezing,
      sayStopped: async (orgId, { name, reason }, db) => {
        const language = await readLanguage(orgId, db)
        return translate(language, 'flows:stopped', { name, reason: translate(language, `flows:reason.${reason}`) })
      },
      sayTested: async (orgId, test, db) => translate(await readLanguage(orgId, db), 'flows:tested', test),
      listConnectedNumbers: async (db, orgId) =>
        (await listOwnNumbers(db, orgId))
          .filter(({ isConnected }) => isConnected)
          .map(({ phone, kind }) => ({ phone, displayPhone: displayPhone(phone), isSimulated: kind === 'sandbox' })),
      takeFlowOfTap: taps.takeFlow,
      optOutWordsIn: optOuts.wordsIn,
      listTagIds,
      async requireChat(db, viewer, address) {
        const { id: conversationId, contact_id: contactId } = await requireChat(db, viewer, address)
        return { conversationId, contactId }
      },
      publicUrl: config.publicUrl,
      readPhone: parts.readOrgPhone,
      nameContact: (write, to) => nameContact(write, to, { clock, ids, takeKept }),
      inbox: {
        read: (db, orgId, ids) => readForBot(db, orgId, ids, inboxParts),
        whoAre: readCustomers,
        fieldsOf: readFilledOf,
        send: (write, sends) => sendAsBot(write, sends, inboxParts),
        showTyping: (write, id) => showTypingAsBot(write, id, { clock, outbox }),
        answer: (write, to) => sendAutomaticText(write, { ...to, part: 'flows' }, { clock, ids, outbox }),
        changeControl: changeBotControl,
        handOver: (write, id, to) => handOver(write, id, to, inboxParts),
        setTag: (write, id, change) => tagAsBot(write, id, change, inboxParts),
        setContact: changeContactAsBot,
        cancelQueued: (write, messageIds) => cancelQueued(write, messageIds, { clock, ids, outbox }),
      },
    })
    return {
      provides: { flows: { ...flows, countBetween, readFunnel: createFunnel(parts), start: flows.hooks.start } },
      services: {
        flows: flows.service,
        flowSecrets: flows.secrets,
        flowSettings: flows.settings,
        flowReplays: flows.replays,
        flowTests: flows.tests,
        flowHooks: flows.hooks.service,
        flowPresence: flows.presence,
      },
      routes: app => mountFlowHooks(app, { flowHooks: flows.hooks, once: idempotency.once }),
      listeners: flows.listeners,
      chores: [{ name: 'sessions of flows', run: now => flows.prune(now) }],
    }
  },
})
