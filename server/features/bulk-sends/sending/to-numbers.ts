import type { CountryCode } from 'libphonenumber-js/max'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { FrozenTemplate, TemplateFreezing } from '#server/messaging/templates/freezing.ts'
import type { AskedTemplate, GivenValues } from '#server/messaging/templates/sending.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { type FieldFault, InvalidInput } from '#server/platform/http/validate.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import type { OmissionReason } from '#shared/bulk-sends/states.ts'
import type { TemplateToNumbers } from '#shared/bulk-sends/to-numbers.ts'
import type { ValueSource } from '#shared/bulk-sends/values.ts'
import { readPhone } from '#shared/kernel/phone-reader.ts'
import { findComponent } from '#shared/templates/components.ts'
import { variableNames } from '#shared/templates/variables.ts'
import { bulkSendErrors } from '../errors.ts'
import type { Planning } from '../planning/planning.ts'

export interface ToNumbersParts {
  readonly databases: Databases
  readonly planning: Planning
  readonly templates: Pick<TemplateFreezing, 'freeze'>
  /** Finds a template by id or name and checks the values. @throws InvalidInput naming each that does not fit. */
  prepareTemplate(db: Db, orgId: string, asked: AskedTemplate): Promise<{ readonly id: string }>
  /** True if the viewer sees a conversation with this number. */
  seesChat(db: Db, viewer: Viewer, phone: string): Promise<boolean>
  readCountry(orgId: string): Promise<CountryCode>
}

/** A program's request, checked. */
interface AskedSend {
  readonly request: PlanInput
  /** It answers one conversation its sender sees, so no tag has to be granted. */
  readonly isOneChat: boolean
  readonly planned: number
  readonly omitted: { phone: string; reason: OmissionReason }[]
}

/** Errors name at most this many numbers. */
const maxNamed = 20

/** The same values for all recipients, by variable name. */
const sameForAll = (text: string, given: GivenValues): Record<string, ValueSource> => {
  const entries = Array.isArray(given)
    ? variableNames(text).flatMap((name, i) => (given[i] === undefined ? [] : [[name, given[i]] as const]))
    : Object.entries(given)
  return Object.fromEntries(entries.map(([name, value]) => [name, { from: 'fixed', text: value }]))
}

const textOf = ({ components }: FrozenTemplate, part: 'BODY' | 'HEADER'): string =>
  findComponent(components, part)?.text ?? ''

const requestOf = (template: FrozenTemplate, body: TemplateToNumbers): PlanInput => {
  const { phones, bodyExample, headerExample, buttonExample, cardExample, image, location, name, offerEndsAt } = body
  const carousel = findComponent(template.components, 'CAROUSEL')?.cards ?? []
  return {
    template: template.id,
    audience: { numbers: phones.join('\n') },
    values: {
      body: sameForAll(textOf(template, 'BODY'), bodyExample),
      ...(headerExample ? { header: sameForAll(textOf(template, 'HEADER'), headerExample) } : {}),
      ...(buttonExample ? { buttons: sameForAll('', buttonExample) } : {}),
      ...(image ? { image } : {}),
      ...(name ? { fileName: { from: 'fixed', text: name } } : {}),
      ...(offerEndsAt === undefined ? {} : { offerEndsAt }),
      ...(location ? { location } : {}),
      ...(cardExample
        ? {
            cards: Object.fromEntries(
              Object.entries(cardExample).map(([at, { file, body: given, buttons }]) => {
                const text = findComponent(carousel[Number(at)]?.components ?? [], 'BODY')?.text ?? ''
                return [
                  at,
                  {
                    ...(file === undefined ? {} : { file }),
                    ...(given ? { body: sameForAll(text, given) } : {}),
                    ...(buttons ? { buttons: sameForAll('', buttons) } : {}),
                  },
                ]
              }),
            ),
          }
        : {}),
    },
  }
}

/** Reads requests of programs that name numbers and send the same to all. */
export function createToNumbers(parts: ToNumbersParts) {
  const { planning, templates, prepareTemplate, seesChat, readCountry } = parts
  const { read } = parts.databases

  const answersChat = async (caller: OrgCaller, [typed = '', ...others]: readonly string[]): Promise<boolean> => {
    const phone = others.length ? undefined : readPhone(typed, await readCountry(caller.orgId))
    return phone !== undefined && (await seesChat(read, caller, phone))
  }

  return {
    /** @throws BULK_SENDS_NOT_PERMITTED naming numbers, and faults of the template or its values. */
    async read(caller: OrgCaller, body: TemplateToNumbers): Promise<AskedSend> {
      const { orgId, role } = caller
      const { id } = await prepareTemplate(read, orgId, {
        template: body.template,
        language: body.language,
        body: body.bodyExample,
        header: body.headerExample,
        image: body.image ?? undefined,
        fileName: body.name,
        location: body.location ?? undefined,
        offerEndsAt: body.offerEndsAt,
        buttons: body.buttonExample,
        cards: body.cardExample,
      })
      const template = await templates.freeze(read, orgId, id)
      const request = requestOf(template, body)
      const isOneChat = await answersChat(caller, body.phones)
      const omitted: AskedSend['omitted'] = []
      const faults: FieldFault[] = []
      let place = 0
      for await (const batch of planning.planAll(orgId, request, { template, role, isOneChat }))
        for (const one of batch) {
          if ('omitted' in one) omitted.push({ phone: one.candidate.given, reason: one.omitted })
          if ('omitted' in one && one.omitted === 'noPermission')
            faults.push({ field: `body.phones.${place}`, code: 'notPermitted', params: {} })
          place += 1
        }
      if (faults.length) {
        const { code, status } = bulkSendErrors.NOT_PERMITTED()
        throw new InvalidInput(faults.slice(0, maxNamed), code, status, { count: faults.length })
      }
      return { request, isOneChat, planned: place - omitted.length, omitted }
    },
  }
}
export type ToNumbers = ReturnType<typeof createToNumbers>
