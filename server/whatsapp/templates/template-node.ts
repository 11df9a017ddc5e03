import type { TemplateComponent } from '#shared/templates/components.ts'
import { isNumber, variableNames } from '#shared/templates/variables.ts'
import {
  type ParameterFormat,
  parameterFormats,
  type TemplateQuality,
  templateQualities,
} from '#shared/templates/words.ts'
import { asId, asNumber, asObject, asText, cleanLine } from '../scalars.ts'
import { readComponents } from './template-shape.ts'

/** A template at Meta. `status` and `category` are Meta's words, known here or not. */
export interface VendorTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly status: string
  readonly category: string
  readonly parameterFormat: ParameterFormat
  readonly components: TemplateComponent[]
  readonly quality: TemplateQuality
  readonly rejectedReason: string | null
  readonly ttlSeconds: number | null
}

export const templateFields =
  'id,name,language,status,category,parameter_format,components,quality_score,rejected_reason,message_send_ttl_seconds'

/** A word of an enumeration, cut to a bounded length because it is stored and shown. */
export const readWord = (value: unknown): string | undefined => cleanLine(value, 60)?.toUpperCase()

export const qualityOf = (value: unknown): TemplateQuality => {
  const word = readWord(value)
  return templateQualities.find(quality => quality === word) ?? 'UNKNOWN'
}

/** Meta sends `NONE` for no reason. */
export const rejectionReason = (value: unknown): string | null => {
  const word = readWord(value)
  return word === undefined || word === 'NONE' ? null : word
}

const formatOf = (value: unknown, components: readonly TemplateComponent[]): ParameterFormat => {
  const word = readWord(value)
  const known = parameterFormats.find(format => format === word)
  if (known) return known
  const texts = components.flatMap(one => asText(asObject(one)?.text) ?? [])
  return texts.flatMap(variableNames).some(name => !isNumber(name)) ? 'NAMED' : 'POSITIONAL'
}

const maxComponentsChars = 64 * 1024

/** Reads an entry of Meta's list; undefined: not a template. A bad entry does not affect others. */
export const readTemplate = (entry: unknown): VendorTemplate | undefined => {
  const node = asObject(entry)
  const id = asId(node?.id)
  const name = cleanLine(node?.name, 512)
  const language = cleanLine(node?.language, 20)?.replace('-', '_')
  const status = readWord(node?.status)
  if (!node || id === undefined || name === undefined || language === undefined || status === undefined)
    return undefined
  const components = readComponents(node.components)
  if (JSON.stringify(components).length > maxComponentsChars) return undefined
  const ttl = asNumber(node.message_send_ttl_seconds)
  return {
    id,
    name,
    language,
    status,
    category: readWord(node.category) ?? 'UTILITY',
    parameterFormat: formatOf(node.parameter_format, components),
    components,
    quality: qualityOf(asObject(node.quality_score)?.score),
    rejectedReason: rejectionReason(node.rejected_reason),
    ttlSeconds: ttl === undefined || !Number.isInteger(ttl) ? null : ttl,
  }
}
