import type { Backend } from '#server/wiring.ts'
import { newDraftSteps } from '#shared/bulk-sends/drafts.ts'
import { createDice } from '../seed-words.ts'
import { neighbours } from './customers.ts'
import type { Ids, Members } from './set-up.ts'
import type { TagKey } from './shop.ts'
import type { Step, ToMany } from './steps.ts'
import { morningIn, type StoryClock } from './story-clock.ts'
import type { TemplateKey } from './templates.ts'

/** Between two looks at a send that is under way. */
const lookMs = 20_000
/** Milliseconds until WhatsApp says `sent`, so that the send's curve rises over some minutes. */
const statusDelayMs = 15_000
/** The number of neighbours that a bulk send cannot reach. */
const unreachable = 3

interface SendsParts {
  readonly backend: Backend
  readonly clock: StoryClock
  readonly members: Members
  readonly tagIds: Ids<TagKey>
  readonly templateIds: ReadonlyMap<TemplateKey, string>
  /** The address of a stored picture, for the cards of a carousel. */
  readonly picture: string
  settle(): Promise<void>
}

/** A third of the neighbours do not say what they have read, and some have no connection. */
export async function chooseReaders({ services }: Backend, { luis }: Members): Promise<void> {
  const dice = createDice(5)
  for (const { phone: from } of neighbours) {
    const chance = dice.roll()
    if (chance < 0.3) await services.sandbox.setPresence(luis, { body: { from, reads: false } })
    else if (chance < 0.36) await services.sandbox.setPresence(luis, { body: { from, online: false } })
  }
}

/** Sends a template to many, as somebody of the bakery would. */
export function createSends({ backend, clock, members, tagIds, templateIds, picture, settle }: SendsParts) {
  const { bulkSends, bulkDrafts, sandbox } = backend.services
  const { luis } = members

  return {
    async send({ by, toMany, alsoTo = [], template, name, inDays }: ToMany) {
      const caller = members[by]
      const audience = {
        tags: { ids: [tagIds[toMany]], match: 'any' as const },
        ...(alsoTo.length ? { numbers: alsoTo.join('\n') } : {}),
      }
      const firstName = { 1: { from: 'firstName' as const, fallback: 'vecino' } }
      const body = template === 'thursdays' ? {} : { body: firstName }
      const cards =
        template === 'showcase' ? { cards: { 0: { file: picture }, 1: { file: picture }, 2: { file: picture } } } : {}
      const { id } = await bulkSends.create(caller, {
        body: { name, template: templateIds.get(template) ?? '', audience, values: { ...body, ...cards } },
      })
      await settle()
      if (inDays) {
        const startAt = morningIn(clock.now().getTime(), inDays, '10:00')
        await bulkSends.schedule(caller, { params: { id }, body: { startAt } })
        return
      }
      await sandbox.configure(luis, { body: { statusDelayMs } })
      const lost = neighbours.filter(({ tags }) => tags.includes(toMany)).slice(0, unreachable)
      const block = async (blocked: boolean) => {
        for (const { phone: from } of lost) await sandbox.setPresence(luis, { body: { from, blocked } })
      }
      await block(true)
      await bulkSends.start(caller, { params: { id } })
      let looks = 0
      do {
        clock.moveTo(clock.now().getTime() + lookMs)
        backend.jobs.wake()
        await settle()
        looks += 1
      } while (looks < 12)
      await block(false)
      await sandbox.configure(luis, { body: { statusDelayMs: 0 } })
    },

    async draft({ by, drafts, toTag, name }: Extract<Step, { drafts: unknown }>) {
      const id = templateIds.get(drafts) ?? ''
      const { name: template, language } = await backend.services.templates.get(members[by], { params: { id } })
      const steps = newDraftSteps('')
      const audience = { ...steps.audience, tagIds: [tagIds[toTag]] }
      await bulkDrafts.createDraft(members[by], {
        body: { steps: { ...steps, name, audience, template: { id, name: template, language } } },
      })
    },
  }
}
