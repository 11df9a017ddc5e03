import type { CountryCode } from 'libphonenumber-js/max'
import type { BulkPlan, OmissionReason, PlanInput } from '#shared/bulk-sends.ts'
import { bulkPerSecond, maxRecipients, previewsShown } from '#shared/bulk-sends.ts'
import type { OrgRole } from '#shared/permissions.ts'
import { displayPhone } from '#shared/phone-display.ts'
import type { Databases } from '../db.ts'
import type { FrozenTemplate, TemplateFreezing } from '../templates/freezing.ts'
import { InvalidInput } from '../validate.ts'
import type { Scopes } from '../visibility/scopes.ts'
import { readAudience, readHead } from './audience.ts'
import { createPlanner, type Planned } from './planner.ts'
import { findGrantedTags } from './rights.ts'
import { requireNumber, type Senders } from './senders.ts'

export interface PlanningParts {
  readonly databases: Databases
  readonly templates: TemplateFreezing
  readonly scopes: Pick<Scopes, 'tagsOfRole'>
  readonly senders: Pick<Senders, 'listNumbers'>
  countryOf(orgId: string): Promise<CountryCode>
}

const examplesShown = 3

/** As people read it. */
const shownPhone = (digits: string): string => displayPhone(digits) || `+${digits}`

/** Who gets what of a send that is asked for. */
export function createPlanning({ databases, templates, scopes, senders, countryOf }: PlanningParts) {
  const { read: db, turn } = databases

  /** Everybody the audience names, some at a time, with what they get; requests of others come in between. */
  async function* planAll(
    orgId: string,
    { audience, values }: Pick<PlanInput, 'audience' | 'values'>,
    { template, role }: { template: FrozenTemplate; role: OrgRole },
  ): AsyncGenerator<Planned[]> {
    const granted = await findGrantedTags(db, orgId, role, scopes)
    const country = await countryOf(orgId)
    const ownPhones = (await senders.listNumbers(db, orgId)).map(({ phone }) => phone)
    const plan = createPlanner({ template, values, ownPhones, fill: templates.fill })
    let people = 0
    for await (const candidates of readAudience(audience, { db, orgId, granted, country })) {
      people += candidates.length
      if (people > maxRecipients)
        throw new InvalidInput([{ field: 'body.audience', code: 'maxItems', params: { limit: maxRecipients } }])
      yield candidates.map(plan)
      await turn.giveWay()
    }
  }

  return {
    planAll,
    /** @throws what keeps it from being sent at all. */
    async plan(orgId: string, role: OrgRole, input: PlanInput): Promise<BulkPlan> {
      const from = requireNumber(await senders.listNumbers(db, orgId))
      const template = await templates.freeze(db, orgId, input.template)
      const columns = input.audience.csv ? readHead(input.audience.csv).columns : []
      const groups = new Map<OmissionReason, { count: number; examples: string[] }>()
      const previews: BulkPlan['previews'] = []
      let planned = 0
      for await (const batch of planAll(orgId, input, { template, role }))
        for (const one of batch) {
          if ('omitted' in one) {
            const group = groups.get(one.omitted) ?? { count: 0, examples: [] }
            group.count += 1
            if (group.examples.length < examplesShown) group.examples.push(one.candidate.given)
            groups.set(one.omitted, group)
            continue
          }
          planned += 1
          if (previews.length >= previewsShown) continue
          const { text, shown } = one.filled
          const { header, footer, buttons } = shown
          const { name, phone } = one.candidate
          previews.push({ phone: shownPhone(phone ?? ''), name, header, text, footer, buttons })
        }
      const { id, name, language, category } = template
      return {
        template: { id, name, language, category },
        from: shownPhone(from.phone),
        planned,
        omitted: [...groups].map(([reason, group]) => ({ reason, ...group })).sort((a, b) => b.count - a.count),
        previews,
        columns: [...columns],
        seconds: Math.ceil(planned / bulkPerSecond),
      }
    },
  }
}
export type Planning = ReturnType<typeof createPlanning>
