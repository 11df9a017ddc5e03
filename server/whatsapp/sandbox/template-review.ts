import { rejectionReasons } from '#shared/sandbox.ts'
import { type Db, inTransaction } from '../../db.ts'
import { randomUUID } from '../../random.ts'
import { asObject, asText, type Json } from '../scalars.ts'
import { insertPosts } from './job-store.ts'
import { listConnectedNumbers, type SandboxNumber } from './number-store.ts'
import { nowMs, type SandboxParts } from './parts.ts'
import { metaJson } from './serialize.ts'
import { envelope } from './statuses.ts'
import { listDueReviews, type SandboxTemplate, saveTemplate } from './template-store.ts'

const hourMs = 3_600_000
/** Meta's pauses grow; the third time it is the end. @see Meta, "Template pausing" */
const pausesMs = [3 * hourMs, 6 * hourMs] as const
const reviewsAtOnce = 50

/** Reviews take some seconds: long enough to be seen, and nothing when statuses take nothing. */
export const reviewDelayMs = (number: SandboxNumber): number => number.behaviour.statusDelayMs * 6

/** What a name asks for: `reject_scam`, `reject`; undefined: nothing. */
const rejectionIn = (name: string): string | undefined =>
  name.includes('reject')
    ? (rejectionReasons.find(reason => name.includes(reason.toLowerCase())) ?? 'INVALID_FORMAT')
    : undefined

const selling = /\b(oferta|descuento|promo|promoci[oó]n|liquidaci[oó]n|% off|2x1|sale|discount|offer)\b/i

const bodyOf = (template: SandboxTemplate): string =>
  asText(asObject(template.components.find(one => one.type === 'BODY'))?.text) ?? ''

const base = (template: SandboxTemplate): Json => ({
  // Meta writes it as a number, however long: beyond 2^53 readers lose digits.
  message_template_id: Number(template.id),
  message_template_name: template.name,
  message_template_language: template.language,
})

/** Puts a webhook of the account on its way, in the lane of the template. */
const tell = async (trx: Db, number: SandboxNumber, templateId: string, field: string, value: Json, now: number) => {
  if (!number.isSubscribed) return
  const body = metaJson(envelope(number, field, value, now))
  const lane = `template ${templateId}`
  await insertPosts(trx, [
    { orgId: number.orgId, lane, waId: randomUUID(), body, attempts: 0, sinceMs: now, dueMs: now },
  ])
}

export interface Verdict {
  status?: string | undefined
  reason?: string | undefined
  category?: string | undefined
  quality?: SandboxTemplate['quality'] | undefined
}

const pauseTitles = ['FIRST_PAUSE', 'SECOND_PAUSE', 'DISABLED'] as const

const pausedOf = (template: SandboxTemplate, now: number): SandboxTemplate => {
  const pause = pausesMs[template.pauses]
  return pause === undefined
    ? { ...template, status: 'DISABLED', pauses: template.pauses + 1, reviewMs: null }
    : { ...template, status: 'PAUSED', pauses: template.pauses + 1, reviewMs: now + pause }
}

const withStatus = (template: SandboxTemplate, verdict: Verdict, now: number): SandboxTemplate => {
  const { status, reason } = verdict
  if (status === undefined) return template
  if (status === 'PAUSED') return pausedOf(template, now)
  return {
    ...template,
    status,
    rejectedReason: status === 'REJECTED' ? (reason ?? 'INVALID_FORMAT') : 'NONE',
    reviewMs: null,
  }
}

const statusValue = (template: SandboxTemplate, before: SandboxTemplate): Json => ({
  event: before.status === 'PAUSED' && template.status === 'APPROVED' ? 'REINSTATED' : template.status,
  ...base(template),
  reason: template.status === 'REJECTED' ? template.rejectedReason : 'NONE',
  message_template_category: template.category,
  ...(template.pauses > before.pauses
    ? { other_info: { title: pauseTitles[Math.min(template.pauses, 3) - 1], description: 'Low quality.' } }
    : {}),
})

/** What Meta decides of a template, with the webhooks that tell of it, in the caller's transaction. */
export async function decide(
  trx: Db,
  number: SandboxNumber,
  before: SandboxTemplate,
  verdict: Verdict,
  now: number,
): Promise<SandboxTemplate> {
  let after = withStatus(before, verdict, now)
  if (verdict.category !== undefined && verdict.category !== before.category)
    after = { ...after, category: verdict.category, previousCategory: before.category }
  if (verdict.quality !== undefined) after = { ...after, quality: verdict.quality }
  await saveTemplate(trx, after)
  if (after.category !== before.category)
    await tell(
      trx,
      number,
      after.id,
      'template_category_update',
      { ...base(after), previous_category: before.category, new_category: after.category },
      now,
    )
  if (after.status !== before.status || verdict.status !== undefined)
    await tell(trx, number, after.id, 'message_template_status_update', statusValue(after, before), now)
  if (after.quality !== before.quality)
    await tell(
      trx,
      number,
      after.id,
      'message_template_quality_update',
      { ...base(after), previous_quality_score: before.quality, new_quality_score: after.quality },
      now,
    )
  return after
}

/** What the review of a template ends in; a pause ends in approval. */
const verdictOf = (template: SandboxTemplate): Verdict => {
  if (template.status === 'PAUSED') return { status: 'APPROVED' }
  const reason = rejectionIn(template.name)
  if (reason) return { status: 'REJECTED', reason }
  const isSelling = template.category === 'UTILITY' && selling.test(bodyOf(template))
  return { status: 'APPROVED', ...(isSelling ? { category: 'MARKETING' } : {}) }
}

/** Ends the reviews that are due; answers whether there were any. */
export async function advanceReviews(parts: Pick<SandboxParts, 'databases' | 'clock'>): Promise<boolean> {
  const { databases, clock } = parts
  const now = nowMs(clock)
  if (!(await listDueReviews(databases.read, now, 1)).length) return false
  return inTransaction(databases, async trx => {
    const due = await listDueReviews(trx, now, reviewsAtOnce)
    const numbers = await listConnectedNumbers(trx, [...new Set(due.map(template => template.orgId))])
    for (const template of due) {
      const number = numbers.get(template.orgId)
      if (number) await decide(trx, number, template, verdictOf(template), now)
      else await saveTemplate(trx, { ...template, reviewMs: null })
    }
    return due.length > 0
  })
}
