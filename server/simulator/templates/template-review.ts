import type { Db } from '#server/platform/db/database.ts'
import { asObject, asText, type Json } from '#server/whatsapp/scalars.ts'
import { rejectionReasons } from '#shared/simulator/api.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'
import { metaJson } from '../webhooks/serialize.ts'
import { envelope } from '../webhooks/statuses.ts'
import type { WebhookJobs } from '../webhooks/webhook-jobs.ts'
import type { ReviewJobs } from './reviews.ts'
import { type SandboxTemplate, saveTemplate } from './template-store.ts'

const hourMs = 3_600_000
/** Meta's pauses grow; the third time the template is disabled. @see Meta, "Template pausing" */
const pausesMs = [3 * hourMs, 6 * hourMs] as const
/** The longest time until a review or a pause ends. */
export const longestReviewMs = Math.max(...pausesMs)

/** A review takes some seconds, so that people see it; nothing if statuses have no delay. */
export const reviewDelayMs = (number: SandboxNumber): number => number.behaviour.statusDelayMs * 6

/** A rejection requested by the template's name (`reject_scam`, `reject`); undefined: none. */
const rejectionIn = (name: string): string | undefined =>
  name.includes('reject')
    ? (rejectionReasons.find(reason => name.includes(reason.toLowerCase())) ?? 'INVALID_FORMAT')
    : undefined

const selling = /\b(oferta|descuento|promo|promoci[oó]n|liquidaci[oó]n|% off|2x1|sale|discount|offer)\b/i

const bodyOf = (template: SandboxTemplate): string =>
  asText(asObject(template.components.find(one => one.type === 'BODY'))?.text) ?? ''

const base = (template: SandboxTemplate): Json => ({
  // Meta sends a number, which loses digits beyond 2^53.
  message_template_id: Number(template.id),
  message_template_name: template.name,
  message_template_language: template.language,
})

interface TemplateJobs {
  webhooks: Pick<WebhookJobs, 'add'>
  reviews: Pick<ReviewJobs, 'plan'>
}

interface Verdict {
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

/** The webhook fields for a change, in Meta's order. */
const changesOf = (before: SandboxTemplate, after: SandboxTemplate, verdict: Verdict) => {
  const changes: { field: string; value: Json }[] = []
  if (after.category !== before.category)
    changes.push({
      field: 'template_category_update',
      value: { ...base(after), previous_category: before.category, new_category: after.category },
    })
  if (after.status !== before.status || verdict.status !== undefined)
    changes.push({ field: 'message_template_status_update', value: statusValue(after, before) })
  if (after.quality !== before.quality)
    changes.push({
      field: 'message_template_quality_update',
      value: { ...base(after), previous_quality_score: before.quality, new_quality_score: after.quality },
    })
  return changes
}

/** Applies Meta's decision about a template and adds its webhooks, in the caller's transaction. */
export async function decide(
  { webhooks, reviews }: TemplateJobs,
  trx: Db,
  number: SandboxNumber,
  before: SandboxTemplate,
  verdict: Verdict,
  now: number,
): Promise<void> {
  let after = withStatus(before, verdict, now)
  if (verdict.category !== undefined && verdict.category !== before.category)
    after = { ...after, category: verdict.category, previousCategory: before.category }
  if (verdict.quality !== undefined) after = { ...after, quality: verdict.quality }
  await saveTemplate(trx, after)
  await reviews.plan(trx, after)
  if (!number.isSubscribed) return
  await webhooks.add(
    trx,
    number.orgId,
    changesOf(before, after, verdict).map(({ field, value }) => ({
      body: metaJson(envelope(number, field, value, now)),
      orderKey: `template ${after.id}`,
    })),
  )
}

/** The result of a review; a pause ends in approval. */
export const reviewVerdict = (template: SandboxTemplate): Verdict => {
  if (template.status === 'PAUSED') return { status: 'APPROVED' }
  const reason = rejectionIn(template.name)
  if (reason) return { status: 'REJECTED', reason }
  const isSelling = template.category === 'UTILITY' && selling.test(bodyOf(template))
  return { status: 'APPROVED', ...(isSelling ? { category: 'MARKETING' } : {}) }
}
