import { parseExact } from '#server/platform/text/json.ts'
import { asList, asObject, cleanLine, cleanText, type Json, rawJson } from '../scalars.ts'
import type { InboundContent, MessageContent } from '../webhooks/inbound.ts'

type FormField = NonNullable<MessageContent['form']>['fields'][number]

/** No form has this many answers, and parsing this many is quick even if a webhook has many messages. */
const maxAnswerValues = 1000
const maxFields = 200
const maxDepth = 4

const plainValue = (value: unknown): string =>
  typeof value === 'boolean' ? String(value) : cleanText(typeof value === 'string' ? value : (value ?? ''), 4000)

/** A list of plain values becomes one line; nested values get the path as their key. */
const fieldsOf = (key: string, value: unknown, depth = 0): FormField[] => {
  const list = asList(value)
  if (list.length && list.every(one => typeof one !== 'object' || one === null))
    return [{ key, value: list.map(plainValue).filter(Boolean).join(', ') }]
  if (typeof value !== 'object' || value === null) return [{ key, value: plainValue(value) }]
  if (depth >= maxDepth) return [{ key, value: rawJson(value) }]
  const parts = list.length
    ? list.map((one, place) => [String(place + 1), one] as const)
    : Object.entries(asObject(value) ?? {})
  if (!parts.length) return [{ key, value: '' }]
  return parts.flatMap(([name, one]) =>
    fieldsOf([key, cleanLine(name) ?? ''].filter(Boolean).join(' · '), one, depth + 1),
  )
}

/** Reads the answers, which Meta sends as a JSON string. Skips `flow_token`, which we set when sending the form. */
export const readFormAnswer = (part: Json): InboundContent => {
  const name = cleanLine(part.name) ?? 'flow'
  const body = cleanText(part.body, 1000)
  const about = { name, ...(body ? { body } : {}) }
  let answers: unknown = part.response_json
  if (typeof answers === 'string') {
    try {
      answers = parseExact(Buffer.from(answers), maxAnswerValues)
    } catch {
      return { type: 'form', text: '', content: { form: { ...about, fields: [] }, raw: rawJson(part) } }
    }
  }
  const given = asObject(answers)
  const fields = (given ? Object.entries(given) : answers === undefined ? [] : [['', answers] as const])
    .filter(([key]) => key !== 'flow_token')
    .flatMap(([key, value]) => fieldsOf(cleanLine(key) ?? '', value))
    .slice(0, maxFields)
  return { type: 'form', text: '', content: { form: { ...about, fields } } }
}
