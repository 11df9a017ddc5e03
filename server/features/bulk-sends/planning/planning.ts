import type { CountryCode } from 'libphonenumber-js/max'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { EachFile, FrozenTemplate, TemplateFreezing } from '#server/messaging/templates/freezing.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { careDefaults } from '#shared/bulk-sends/care.ts'
import { maxRecipients, previewsShown, rowsNamed } from '#shared/bulk-sends/limits.ts'
import type { BulkPlan, PlanInput } from '#shared/bulk-sends/plan.ts'
import type { OmissionReason } from '#shared/bulk-sends/states.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'
import { isFileHandle } from '#shared/templates/files.ts'
import { isOfferOver } from '#shared/templates/sending.ts'
import { isMarketingCategory, unratedQuality } from '#shared/templates/words.ts'
import { type KeptByPhone, readAudience, requireColumns } from '../audience/audience.ts'
import { type ContactFields, createFacts } from '../audience/contact-facts.ts'
import { maxProbed, probeFiles } from '../audience/file-probe.ts'
import { shownRecipient } from '../reports/present.ts'
import { findGrantedTags } from '../rights/rights.ts'
import { requireNumber, type Senders } from '../senders.ts'
import { findCapped } from '../sending/marketing-cap.ts'
import type { Pace } from '../sending/pace.ts'
import type { PeopleLimit } from '../sending/people-limit.ts'
import { listPlannedOfRunning } from '../store.ts'
import { createCostEstimate } from './cost.ts'
import { type Candidate, createPlanner, fileCellOf, type Planned } from './planner.ts'
import { findRateCard } from './rate-store.ts'

export interface PlanningParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly templates: TemplateFreezing
  /** The first bytes of the file at an address. Undefined: they could not be read. */
  headOf(address: string): Promise<Buffer | undefined>
  readonly scopes: Pick<Scopes, 'tagsOfRole'>
  readonly senders: Pick<Senders, 'listNumbers'>
  readonly peopleLimit: Pick<PeopleLimit, 'leftOf'>
  readonly contactFields: ContactFields
  readonly pace: Pick<Pace, 'of'>
  readCountry(orgId: string): Promise<CountryCode>
  /** Returns the opt-out and block of erased people, by phone key. */
  findKept(db: Db, orgId: string, phoneKeys: readonly string[]): Promise<KeptByPhone>
}

const examplesShown = 3

function* planned(
  candidates: readonly Candidate[],
  files: ReadonlyMap<string, EachFile>,
  plan: ReturnType<typeof createPlanner>,
): Generator<Planned> {
  for (const one of candidates) yield plan(one, files)
}

/** @throws InvalidInput naming the field, for an offer that has ended when the send may begin */
export function requireOfferAhead(
  { components }: Pick<FrozenTemplate, 'components'>,
  values: PlanInput['values'],
  atMs: number,
  field = 'body.values.offerEndsAt',
): void {
  if (!isOfferOver(components, values?.offerEndsAt, atMs)) return
  throw new InvalidInput([{ field, code: 'timePast', params: {} }])
}

type OmittedGroup = BulkPlan['omitted'][number]

/** Contacts that the caller's role may not write to are not named, whatever they are left out for. */
const nameOfOmitted = ({ name, isPermitted, hidesNumber }: Candidate): string | null =>
  isPermitted && !hidesNumber ? name?.trim() || null : null

/** The number as people read it. */
const shownPhone = (digits: string): string => displayPhone(digits) || `+${digits}`

/** The preview of one recipient, as pages show it. */
export function recipientPreview({
  candidate,
  filled,
}: Exclude<Planned, { omitted: unknown }>): BulkPlan['previews'][number] {
  const { header, footer, buttons, media, cards } = filled.shown
  return {
    phone: shownPhone(candidate.phone ?? ''),
    name: candidate.name,
    header,
    text: filled.text,
    footer,
    buttons,
    ...(media ? { media } : {}),
    ...(cards ? { cards } : {}),
  }
}

/** The limit of marketing messages per person. Null: none. */
export const marketingCapOf = ({ marketingCap }: Pick<PlanInput, 'marketingCap'>) =>
  marketingCap === undefined ? careDefaults.marketingCap : marketingCap

/** Seconds until this many are sent from a number that other sends share equally. */
const secondsOf = (planned: number, ofOthers: readonly number[], perSecond: number): number =>
  Math.ceil(ofOthers.reduce((sum, count) => sum + Math.min(count, planned), planned) / perSecond)

/** Plans who gets what. */
export function createPlanning({
  databases,
  clock,
  templates,
  headOf,
  scopes,
  senders,
  peopleLimit,
  contactFields,
  pace,
  readCountry,
  findKept,
}: PlanningParts) {
  const { read: db, turn } = databases

  /**
   * Yields the people the audience names, with their messages, made in batches on demand so that other requests run in
   * between.
   */
  async function* planAll(
    orgId: string,
    { audience, values, marketingCap }: Pick<PlanInput, 'audience' | 'values' | 'marketingCap'>,
    {
      template,
      role,
      isOneChat,
      withTags = false,
    }: { template: FrozenTemplate; role: OrgRole; isOneChat?: boolean; withTags?: boolean },
  ): AsyncGenerator<Iterable<Planned>> {
    const granted = isOneChat ? null : await findGrantedTags(db, orgId, role, scopes)
    const country = await readCountry(orgId)
    const ownPhones = (await senders.listNumbers(db, orgId)).map(({ phone }) => phone)
    await templates.requireFiles(db, orgId, template, values)
    if (values?.file && templates.formatOfHeader(template) === undefined)
      throw new InvalidInput([{ field: 'body.values.file', code: 'unknown', params: {} }])
    const plan = createPlanner({ template, values, ownPhones, fill: templates.fill, now: clock.now().getTime() })
    const cap = isMarketingCategory(template.category) ? marketingCapOf({ marketingCap }) : null
    const capped = (ids: readonly string[]) => findCapped(db, orgId, ids, { cap, clock })
    let people = 0
    const erased = (keys: readonly string[]) => findKept(db, orgId, keys)
    const findFacts = await createFacts({ db, orgId, fields: contactFields }, { values, language: template.language })
    const who = { db, clock, orgId, granted, withTags, country, findCapped: capped, findFacts, findKept: erased }
    for await (const candidates of readAudience(audience, who)) {
      people += candidates.length
      if (people > maxRecipients)
        throw new InvalidInput([{ field: 'body.audience', code: 'maxItems', params: { limit: maxRecipients } }])
      const cells = values?.file ? candidates.map(one => fileCellOf(values, one)) : []
      const files = await templates.findFilesOf(db, orgId, template, cells)
      if (candidates.length) yield planned(candidates, files, plan)
      await turn.giveWay()
    }
  }

  return {
    planAll,
    /** @throws when it cannot be sent at all. */
    async plan(orgId: string, role: OrgRole, input: PlanInput): Promise<BulkPlan> {
      const from = requireNumber(await senders.listNumbers(db, orgId))
      const template = await templates.freeze(db, orgId, input.template)
      requireOfferAhead(template, input.values, clock.now().getTime())
      const columns = input.audience.csv ? requireColumns(input.audience.csv, await readCountry(orgId)) : []
      const groups = new Map<OmissionReason, Omit<OmittedGroup, 'reason'>>()
      const previews: BulkPlan['previews'] = []
      const cost = createCostEstimate(await findRateCard(db, orgId), template.category)
      let planned = 0
      let optedOut = 0
      let uploaded = 0
      const addresses = new Set<string>()
      let fromAddresses = 0
      for await (const batch of planAll(orgId, input, { template, role }))
        for (const one of batch) {
          if ('omitted' in one) {
            const group = groups.get(one.omitted) ?? { count: 0, examples: [], people: [], rows: [] }
            group.count += 1
            const { candidate } = one
            const { fileRow, given } = candidate
            if (group.examples.length < examplesShown) {
              group.examples.push(given)
              group.people.push({ name: nameOfOmitted(candidate), display: shownRecipient(given) })
            }
            if (fileRow !== undefined && group.rows.length < rowsNamed) group.rows.push(fileRow)
            groups.set(one.omitted, group)
            continue
          }
          planned += 1
          const own = input.values?.file ? one.values.header?.media : undefined
          if (own && 'link' in own) {
            if (isFileHandle(own.link)) uploaded += 1
            else fromAddresses += 1
            if (!isFileHandle(own.link) && addresses.size < maxProbed) addresses.add(own.link)
          }
          cost.add(one.candidate.phone ?? '')
          if (one.candidate.isOptedOut) optedOut += 1
          if (previews.length >= previewsShown) continue
          previews.push(recipientPreview(one))
        }
      const { id, name, language, category } = template
      const format = templates.formatOfHeader(template)
      const probe =
        format && input.values?.file
          ? await probeFiles([...addresses], {
              headOf,
              isRightKind: async head => (await templates.formatIn(head)) === format,
            })
          : undefined
      const standing = await templates.findStanding(db, orgId, id)
      return {
        template: { id, name, language, category, quality: standing?.quality ?? unratedQuality },
        from: shownPhone(from.phone),
        planned,
        omitted: [...groups].map(([reason, group]) => ({ reason, ...group })).sort((a, b) => b.count - a.count),
        optedOut,
        previews,
        columns: [...columns],
        ...(probe ? { files: { uploaded, addresses: fromAddresses, ...probe } } : {}),
        cost: cost.estimate(),
        room: await peopleLimit.leftOf(db, { orgId, limit: from.messagingLimit }),
        seconds: secondsOf(
          planned,
          await listPlannedOfRunning(db, orgId, from.id),
          (await pace.of(db, orgId, from.id)).usualPerSecond,
        ),
      }
    },
  }
}
export type Planning = ReturnType<typeof createPlanning>
