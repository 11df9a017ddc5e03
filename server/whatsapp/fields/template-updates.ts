import type { TemplateQuality } from '#shared/templates/words.ts'
import { asId, asObject, cleanLine, type Json } from '../scalars.ts'
import { qualityOf, readWord, rejectionReason } from '../templates/template-node.ts'

/** The template a webhook is about: by name and language, because a long id may have lost digits in JSON. */
interface TemplateKey {
  readonly id: string | undefined
  readonly name: string
  readonly language: string
}

/** The content of a webhook about a template. */
export type TemplateUpdate = TemplateKey &
  (
    | {
        readonly kind: 'status'
        readonly status: string
        readonly reason: string | null
        readonly note: string | null
        readonly category: string | undefined
        /** Milliseconds until Meta ends the pause. Null: not paused, or Meta did not say which pause it is. */
        readonly pausedMs: number | null
      }
    | { readonly kind: 'deleted' }
    | { readonly kind: 'quality'; readonly quality: TemplateQuality }
    /** `isWarning`: Meta will change it later; `category` is still the current one. */
    | {
        readonly kind: 'category'
        readonly category: string
        readonly isWarning: boolean
        readonly next: string | null
      }
    | { readonly kind: 'components' }
  )

const keyOf = (value: Json): TemplateKey | undefined => {
  const name = cleanLine(value.message_template_name, 512)
  const language = cleanLine(value.message_template_language, 20)?.replace('-', '_')
  const id = asId(value.message_template_id)
  return name === undefined || language === undefined ? undefined : { id, name, language }
}

const hourMs = 3_600_000
/**
 * Meta's pauses of a template, by their titles. Instead of a third pause it disables the template.
 * @see Meta, "Template pausing"
 */
const pauseMs: ReadonlyMap<string | null, number> = new Map([
  ['FIRST_PAUSE', 3 * hourMs],
  ['SECOND_PAUSE', 6 * hourMs],
])

/** Returns the beginning of the pause that ends at `until`, ISO 8601. Null: Meta did not say which pause it is. */
export const pauseStart = (note: string | null, until: string | null): string | null => {
  const lasts = pauseMs.get(note)
  return lasts === undefined || until === null ? null : new Date(Date.parse(until) - lasts).toISOString()
}

/** Most events name a status; some return to one. */
const statusOf = (event: string): string => {
  if (event === 'REINSTATED' || event === 'UNARCHIVED') return 'APPROVED'
  return event
}

const noteOf = (value: Json): string | null =>
  cleanLine(asObject(value.other_info)?.title, 200) ??
  cleanLine(asObject(value.rejection_info)?.recommendation, 500) ??
  cleanLine(asObject(value.disable_info)?.disable_date, 60) ??
  null

const readers: Readonly<Record<string, (value: Json, key: TemplateKey) => TemplateUpdate | undefined>> = {
  message_template_status_update: (value, key) => {
    const event = readWord(value.event)
    if (event === undefined) return undefined
    if (event === 'DELETED') return { ...key, kind: 'deleted' }
    const category = readWord(value.message_template_category)
    const note = noteOf(value)
    return {
      ...key,
      kind: 'status',
      status: statusOf(event),
      reason: rejectionReason(value.reason),
      note,
      category,
      pausedMs: event === 'PAUSED' ? (pauseMs.get(note) ?? null) : null,
    }
  },
  message_template_quality_update: (value, key) => ({
    ...key,
    kind: 'quality',
    quality: qualityOf(value.new_quality_score),
  }),
  template_category_update: (value, key) => {
    const category = readWord(value.new_category)
    if (category === undefined) return undefined
    const next = readWord(value.correct_category) ?? null
    return { ...key, kind: 'category', category, isWarning: value.category_update_timestamp !== undefined, next }
  },
  message_template_components_update: (_value, key) => ({ ...key, kind: 'components' }),
}

/** Meta's names of the fields about templates. */
export const templateUpdateFields: readonly string[] = Object.keys(readers)

/** Undefined: not about a template, or unreadable. @see Meta, "Webhooks › message_template_status_update" */
export const readTemplateUpdate = (field: string, content: unknown): TemplateUpdate | undefined => {
  const value = asObject(content)
  const key = value && keyOf(value)
  return key && Object.hasOwn(readers, field) ? readers[field]?.(value, key) : undefined
}
