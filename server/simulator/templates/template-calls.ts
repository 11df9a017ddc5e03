import type { Db } from '#server/platform/db/database.ts'
import { asList, asNumber, asText, type Json } from '#server/whatsapp/scalars.ts'
import { readFields, selectFields } from '#server/whatsapp/serving/fields.ts'
import { GraphError, paramError, unknownObject } from '#server/whatsapp/serving/graph-error.ts'
import { newGraphId } from '#server/whatsapp/serving/ids.ts'
import { readComponents } from '#server/whatsapp/templates/template-shape.ts'
import type { TemplateDraft } from '#shared/templates/api.ts'
import { checkTemplate, parameterFormatOf } from '#shared/templates/check.ts'
import { templateLanguageOf } from '#shared/templates/languages.ts'
import type { TemplateCategory } from '#shared/templates/words.ts'
import type { SandboxNumber } from '../numbers/number-store.ts'
import type { ReviewJobs } from './reviews.ts'
import { reviewDelayMs } from './template-review.ts'
import { ensureSamples } from './template-samples.ts'
import {
  deleteTemplates,
  findTemplate,
  insertTemplate,
  listByName,
  listTemplates,
  nameDeletedMs,
  type SandboxTemplate,
  saveTemplate,
} from './template-store.ts'
import { readyHandles } from './template-upload.ts'

const dayMs = 86_400_000
/** @see Meta, "Templates › Limits" */
const maxTemplates = 250
const maxPage = 100

/** An error of management endpoints, with Meta's texts. */
const refuse = (subcode: number, title: string, sentence: string): GraphError =>
  new GraphError({ code: 100, message: 'Invalid parameter', subcode, userTitle: title, userMessage: sentence })

/** Meta's subcode for a fault that our validation found. */
const subcodeOf = (code: string, field: string): [number, string] => {
  if (code === 'variableAtEdge') return [2388299, "Variables can't be at the start or end of the template"]
  if (code === 'variablesTooMany') return [2388293, 'This template has too many variables for its length']
  if (code === 'tooLong') return [2388040, 'Character limit exceeded']
  if (field.startsWith('components.') && field.includes('header'))
    return [2388047, 'Message header format is incorrect']
  return [2388072, 'Message template format is incorrect']
}

const requireGood = (draft: TemplateDraft): void => {
  const [fault] = checkTemplate(draft)
  if (!fault) return
  const [subcode, title] = subcodeOf(fault.code, fault.field)
  throw refuse(subcode, title, `${fault.field}: ${fault.code} ${Object.values(fault.params).join(' ')}`.trim())
}

const upper = (value: unknown): string => String(asText(value) ?? '').toUpperCase()

const draftOf = (body: Json): TemplateDraft => {
  const format = upper(body.parameter_format)
  const ttl = asNumber(body.message_send_ttl_seconds)
  return {
    name: asText(body.name) ?? '',
    language: templateLanguageOf(asText(body.language) ?? ''),
    category: upper(body.category) as TemplateCategory,
    components: readComponents(body.components),
    ...(format === 'NAMED' || format === 'POSITIONAL' ? { parameterFormat: format } : {}),
    ...(ttl === undefined ? {} : { ttlSeconds: ttl }),
  }
}

const node = (template: SandboxTemplate) => ({
  type: 'WhatsAppMessageTemplate',
  id: template.id,
  usual: ['name', 'parameter_format', 'components', 'language', 'status', 'category'],
  fields: {
    name: template.name,
    parameter_format: template.parameterFormat,
    components: template.components,
    language: template.language,
    status: template.status,
    category: template.category,
    ...(template.previousCategory === null ? {} : { previous_category: template.previousCategory }),
    quality_score: { score: template.quality, date: Math.floor(template.createdMs / 1000) },
    rejected_reason: template.rejectedReason,
    message_send_ttl_seconds: template.ttlSeconds ?? undefined,
    created_time: new Date(template.createdMs).toISOString(),
  },
})

const optional = ['previous_category', 'message_send_ttl_seconds']
const fieldsOf = (template: SandboxTemplate, asked: unknown): Json => {
  const known = node(template)
  const names = readFields(asked)?.filter(name => !optional.includes(name) || Object.hasOwn(known.fields, name))
  return selectFields(known, names)
}

const cursorOf = (id: string) => Buffer.from(id).toString('base64')

const maxWords = 50
/** The words of a filter: one word, a list with commas, or a JSON array. Undefined: no filter. */
const wordsOf = (value: unknown, read: (word: string) => string): string[] | undefined => {
  const text = asText(value)?.trim()
  if (text === undefined) return undefined
  const list = text.startsWith('[') ? listIn(text) : text.split(',')
  return list
    .slice(0, maxWords)
    .flatMap(word => asText(word)?.trim() || [])
    .map(word => read(word))
}

/** @throws GraphError 100 if brackets contain no JSON array */
const listIn = (text: string): readonly unknown[] => {
  try {
    return asList(JSON.parse(text))
  } catch {
    throw paramError('Invalid parameter', 'A filter in brackets must be a JSON array.')
  }
}

/** The address of the next page. Its caller adds the token. */
const nextOf = (origin: string, query: Json, after: string): string => {
  const asked = Object.entries(query).filter(([key]) => !['access_token', 'appsecret_proof', 'before'].includes(key))
  const params = new URLSearchParams(asked.flatMap(([key, value]) => (asText(value) ? [[key, String(value)]] : [])))
  params.set('after', after)
  return `${origin}?${params}`
}

export async function templateList(db: Db, number: SandboxNumber, query: Json, origin: string): Promise<Json> {
  const limit = Math.min(maxPage, Math.max(1, asNumber(query.limit) ?? 25))
  const after = asText(query.after)
  const found = await listTemplates(
    db,
    number.orgId,
    { after: after === undefined ? undefined : Buffer.from(after, 'base64').toString(), limit: limit + 1 },
    {
      name: asText(query.name),
      nameOrContent: asText(query.name_or_content),
      status: wordsOf(query.status, upper),
      category: wordsOf(query.category, upper),
      language: wordsOf(query.language, templateLanguageOf),
      quality: wordsOf(query.quality_score, upper),
    },
  )
  const page = found.slice(0, limit)
  const [first, last] = [page[0], page.at(-1)]
  return {
    data: page.map(template => fieldsOf(template, query.fields)),
    ...(first && last
      ? {
          paging: {
            cursors: { before: cursorOf(first.id), after: cursorOf(last.id) },
            ...(found.length > limit ? { next: nextOf(origin, query, cursorOf(last.id)) } : {}),
          },
        }
      : {}),
  }
}

/** @throws GraphError with the subcodes of Meta's template errors */
export async function createTemplate(
  { reviews }: { reviews: Pick<ReviewJobs, 'plan'> },
  trx: Db,
  number: SandboxNumber,
  body: Json,
  now: number,
): Promise<Json> {
  const draft = draftOf(body)
  requireGood(draft)
  await ensureSamples(trx, number.orgId, now)
  const sameName = await listByName(trx, number.orgId, draft.name)
  if (sameName.some(template => template.language === draft.language))
    throw refuse(
      2388024,
      'Content in This Language Already Exists',
      `There is already ${draft.language} content for this template. You can create a new template and try again.`,
    )
  const deletedMs = sameName.length ? null : await nameDeletedMs(trx, number.orgId, draft.name)
  if (deletedMs !== null && now - deletedMs < 30 * dayMs)
    throw refuse(
      2388023,
      'Message Template Language Is Being Deleted',
      "New content can't be added while the existing content is being deleted. Try again in 4 weeks or consider creating a new message template.",
    )
  if ((await listTemplates(trx, number.orgId, { limit: maxTemplates })).length >= maxTemplates)
    throw refuse(2388019, 'Template limit reached', `An account can have ${maxTemplates} templates.`)
  const components = await readyHandles(trx, number.orgId, draft.components)
  const template: SandboxTemplate = {
    id: newGraphId(16),
    orgId: number.orgId,
    name: draft.name,
    language: draft.language,
    status: 'PENDING',
    category: draft.category,
    previousCategory: null,
    parameterFormat: parameterFormatOf(draft),
    components,
    quality: 'UNKNOWN',
    rejectedReason: 'NONE',
    ttlSeconds: draft.ttlSeconds ?? null,
    pauses: 0,
    editsMs: [],
    reviewMs: draft.name.includes('pending') ? null : now + reviewDelayMs(number),
    createdMs: now,
  }
  await insertTemplate(trx, template)
  await reviews.plan(trx, template)
  return { id: template.id, status: template.status, category: template.category }
}

const editable = ['APPROVED', 'REJECTED', 'PAUSED']

const refuseEdit = () =>
  refuse(2388039, "Message template status can't be changed", 'It is under review, or it was edited too often.')

/** @see Meta, "Templates › Edit": once a day and ten times in thirty days while approved */
export async function editTemplate(
  { reviews }: { reviews: Pick<ReviewJobs, 'plan'> },
  trx: Db,
  number: SandboxNumber,
  id: string,
  body: Json,
  now: number,
): Promise<Json> {
  const template = await requireTemplate(trx, number, id, 'post')
  if (!editable.includes(template.status)) throw refuseEdit()
  const isApproved = template.status === 'APPROVED'
  // In the simulator's own time, which `moveClock` changes.
  const stamp = now + number.agedMs
  const edits = template.editsMs.filter(at => stamp - at < 30 * dayMs)
  if (isApproved && (edits.length >= 10 || edits.some(at => stamp - at < dayMs))) throw refuseEdit()
  const category = body.category === undefined ? template.category : upper(body.category)
  if (isApproved && category !== template.category)
    throw refuse(2388039, 'Category cannot be changed', 'The category of an approved template cannot be changed.')
  const draft = draftOf({
    parameter_format: template.parameterFormat,
    message_send_ttl_seconds: template.ttlSeconds ?? undefined,
    ...body,
    name: template.name,
    language: template.language,
    category,
    components: body.components ?? template.components,
  })
  requireGood(draft)
  const edited: SandboxTemplate = {
    ...template,
    category,
    components: await readyHandles(trx, number.orgId, draft.components),
    ttlSeconds: draft.ttlSeconds ?? null,
    status: 'PENDING',
    rejectedReason: 'NONE',
    editsMs: isApproved ? [...edits, stamp] : edits,
    reviewMs: template.name.includes('pending') ? null : now + reviewDelayMs(number),
  }
  await saveTemplate(trx, edited)
  await reviews.plan(trx, edited)
  return { success: true }
}

/** Removes all languages of a name, or with `hsm_id` only one. */
export async function removeTemplate(trx: Db, number: SandboxNumber, query: Json, now: number): Promise<Json> {
  const name = asText(query.name)
  if (!name) throw paramError('The parameter name is required.')
  const id = asText(query.hsm_id)
  const found = (await listByName(trx, number.orgId, name)).filter(one => id === undefined || one.id === id)
  if (!found.length) throw refuse(2593002, 'Message Template Not Found', `The message template ${name} does not exist.`)
  if (found.some(template => template.status === 'DISABLED'))
    throw refuse(2388094, "Message template can't be deleted", 'A disabled message template cannot be deleted.')
  await deleteTemplates(
    trx,
    number.orgId,
    found.map(template => template.id),
    now,
  )
  return { success: true }
}

export const templateNode = async (db: Db, number: SandboxNumber, id: string, query: Json): Promise<Json> =>
  fieldsOf(await requireTemplate(db, number, id, 'get'), query.fields)

const requireTemplate = async (db: Db, number: SandboxNumber, id: string, method: string): Promise<SandboxTemplate> => {
  const template = await findTemplate(db, number.orgId, id)
  if (!template) throw unknownObject(method, id)
  return template
}
