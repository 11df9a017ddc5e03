import type { CountryCode } from 'libphonenumber-js/max'
import type { TemplateFreezing, TemplateValues } from '#server/messaging/templates/freezing.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { readPhone } from '#shared/kernel/phone-reader.ts'
import { bulkSendErrors } from '../errors.ts'
import { requireNumber, type Senders } from '../senders.ts'
import type { HandOver } from '../sending/hand-over.ts'
import { insertRecipients } from '../sending/recipient-store.ts'
import { addToCounts, findSend, insertTest, type NewSend } from '../store.ts'
import type { StoredSend } from '../stored-send.ts'
import { type Planning, requireOfferAhead } from './planning.ts'

export interface TestingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
  readonly templates: TemplateFreezing
  readonly senders: Pick<Senders, 'listNumbers'>
  readonly planning: Planning
  readonly handOver: HandOver
  readCountry(orgId: string): Promise<CountryCode>
}

/** A test's creator. Plans have more. */
type TestFacts = Pick<NewSend, 'creatorId' | 'authorId' | 'authorName'>

/** Sends what the plan's first recipient would get to the creator's own number, as a send with one recipient. */
export function createTesting(parts: TestingParts) {
  const { databases, clock, ids, writes, templates, senders, planning, handOver, readCountry } = parts

  const readNumber = async (orgId: string, typed: string): Promise<string> => {
    const phone = readPhone(typed, await readCountry(orgId))
    const ours = (await senders.listNumbers(databases.read, orgId)).map(number => phoneKey(number.phone))
    if (phone === undefined || ours.includes(phoneKey(phone)))
      throw new InvalidInput([{ field: 'body.number', code: 'invalid', params: {} }])
    return phone
  }

  /** @throws BULK_SENDS_NOBODY */
  const valuesOfFirst = async (caller: OrgCaller, request: PlanInput): Promise<TemplateValues> => {
    const template = await templates.freeze(databases.read, caller.orgId, request.template)
    requireOfferAhead(template, request.values, clock.now().getTime())
    // For a preview, people who reached the marketing limit count too.
    const any = { ...request, marketingCap: null }
    for await (const batch of planning.planAll(caller.orgId, any, { template, role: caller.role }))
      for (const one of batch) if ('values' in one) return one.values
    throw bulkSendErrors.NOBODY()
  }

  return {
    /** @throws InvalidInput for an invalid number or our own, BULK_SENDS_NOBODY, BULK_SENDS_NOT_CONNECTED */
    async send(
      caller: OrgCaller,
      request: PlanInput,
      { number, facts }: { number: string; facts: TestFacts },
    ): Promise<StoredSend> {
      const phone = await readNumber(caller.orgId, number)
      const values = await valuesOfFirst(caller, request)
      return writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const template = await templates.freeze(db, orgId, request.template)
        const at = clock.now().getTime()
        const id = ids(at)
        await insertTest(db, orgId, {
          ...facts,
          id,
          connectionId: requireNumber(await senders.listNumbers(db, orgId)).id,
          templateId: template.id,
          template,
          name: template.name,
          createdAt: isoNow(clock),
        })
        const row = { id: ids(at), place: 0, given: phone, name: null, state: 'planned' as const, reason: null }
        await insertRecipients(db, [{ ...row, values: JSON.stringify(values) }], { orgId, sendId: id })
        await addToCounts(db, orgId, id, { planned: 1 })
        return handOver.begin(write, (await findSend(db, orgId, id)) as StoredSend)
      })
    },
  }
}
export type Testing = ReturnType<typeof createTesting>
