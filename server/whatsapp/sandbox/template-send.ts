import { variableNames } from '#shared/template-variables.ts'
import type { Db } from '../../db.ts'
import { asList, asObject, asText, type Json } from '../scalars.ts'
import { codeError, type GraphError, paramError } from './graph-error.ts'
import { listByName } from './template-store.ts'

const parametersOf = (part: Json, type: string): readonly unknown[] => {
  const component = asList(part.components).find(one => asText(asObject(one)?.type)?.toLowerCase() === type)
  return asList(asObject(component)?.parameters)
}

/** Why a template cannot be sent as it was asked for; undefined: it can. @see Meta, "Error codes › Template errors": 132000, 132001, 132015, 132016 */
export async function findTemplateError(db: Db, orgId: string, message: Json): Promise<GraphError | undefined> {
  const part = asObject(message.template) ?? {}
  const name = asText(part.name) ?? ''
  const language = asText(asObject(part.language)?.code) ?? ''
  const template = (await listByName(db, orgId, name)).find(one => one.language === language)
  if (template?.status === 'PAUSED') return codeError(132015)
  if (template?.status === 'DISABLED') return codeError(132016)
  if (template?.status !== 'APPROVED') return codeError(132001, `template name (${name}) does not exist in ${language}`)
  for (const type of ['header', 'body'] as const) {
    const component = template.components.find(one => one.type === type.toUpperCase())
    const names = variableNames(asText(asObject(component)?.text) ?? '')
    const given = parametersOf(part, type)
    const isMedia = type === 'header' && !['TEXT', undefined].includes(asText(asObject(component)?.format))
    const expected = isMedia ? 1 : names.length
    if (given.length !== expected)
      return codeError(
        132000,
        `${type}: number of localizable_params (${given.length}) does not match the expected number of params (${expected})`,
      )
    const isNamed = template.parameterFormat === 'NAMED' && !isMedia
    if (isNamed && names.some(one => !given.some(parameter => asObject(parameter)?.parameter_name === one)))
      return paramError('Invalid parameter', 'Parameter name is missing or empty')
  }
  return undefined
}
