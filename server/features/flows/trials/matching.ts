import type { Db } from '#server/platform/db/database.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { type flowsApi, maxFlows } from '#shared/flows/api.ts'
import { showTriggers } from '#shared/flows/exchange.ts'
import { maxRefusalsListed } from '#shared/flows/triggers/match.ts'
import { whoAnswers } from '#shared/flows/triggers/precedence.ts'
import { rankTriggers, whyNot } from '#shared/flows/triggers/triggers.ts'
import type { WireTrigger } from '#shared/flows/wire.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { runYielding } from '../keywords.ts'
import type { FlowServiceParts } from '../service-parts.ts'
import { readFlowSettings } from '../settings.ts'
import { shortened } from '../shown.ts'
import { buildKeywords, readKeywords } from '../step/keywords.ts'
import { flowWordOf, flowWordsOf } from '../step/words.ts'
import { listPlaces, type StoredFlow } from '../store.ts'

interface Flows {
  getFlow(db: Db, orgId: string, id: string): Promise<StoredFlow>
}

/** Tells which flow would answer a message, and why the others would not. */
export function createMatching(
  parts: FlowServiceParts,
  { getFlow }: Flows,
): Pick<ServiceOf<typeof flowsApi, OrgCaller>, 'match'> {
  const { databases, clock, liveFlows } = parts
  return {
    async match({ orgId }, { body }) {
      const db = databases.read
      const { text, tappedId = null, isFirst = false, wasArchived = false, silentHours = null, ad, answers } = body
      const { tagIds = [], flowsBefore = [], draftId, attendedBy, isOpen } = body
      const draft = draftId === undefined ? undefined : await getFlow(db, orgId, draftId)
      const live = await liveFlows.list(db, orgId)
      const flows = (await listPlaces(db, orgId, { limit: maxFlows })).flatMap(({ id }) => {
        const triggers = id === draft?.id ? draft.triggers : live.find(({ flowId }) => flowId === id)?.triggers
        return triggers ? [{ flowId: id, triggers }] : []
      })
      const settings = await readFlowSettings(db, orgId)
      const occasion = {
        what: {
          kind: 'message',
          text,
          tappedId,
          ad: ad && { id: ad.id ?? null },
          answers: answers && { sendId: answers.sendId ?? null, hoursAgo: 0 },
        },
        isOpen: isOpen ?? (await parts.isOpen(orgId, isoNow(clock), db)),
        isFirst,
        wasArchived,
        silentHours,
        tagIds,
        flowsBefore,
      } as const
      const precedenceFacts = {
        isHeld: attendedBy === 'person',
        isOptWord: (await parts.optOutWordsIn(db, orgId, [text])).has(text),
        isPersonWord: flowWordOf(text, flowWordsOf(settings)) === 'person',
        isInFlow: attendedBy === 'flow',
        saysClosed: settings.closedText !== null,
      }
      const keywords = await runYielding(buildKeywords(flows), databases.turn)
      const hits = await runYielding(readKeywords(keywords, text), databases.turn)
      const { by, chosen } = whoAnswers(rankTriggers(flows), occasion, { precedenceFacts, hits })
      const shownOf = <T extends { flowId: string; triggerId: string }>(one: T): T & { trigger: WireTrigger } => {
        const found = flows.find(({ flowId }) => flowId === one.flowId)?.triggers.find(({ id }) => id === one.triggerId)
        const [trigger] = shortened(showTriggers(found ? [found] : []))
        return { ...one, trigger: trigger ?? { id: one.triggerId, kind: 'manual' } }
      }
      const others = whyNot(flows, occasion, hits, chosen)
      const first = [...others.filter(({ why }) => why !== 'notThis'), ...others.filter(({ why }) => why === 'notThis')]
      return {
        by,
        chosen: chosen && shownOf(chosen),
        others: first.slice(0, maxRefusalsListed).map(shownOf),
        moreOthers: Math.max(0, others.length - maxRefusalsListed),
      }
    },
  }
}
