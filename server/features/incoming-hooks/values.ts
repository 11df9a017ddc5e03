import { AppError } from '#server/platform/http/errors.ts'
import { type FieldFault, InvalidInput } from '#server/platform/http/validate.ts'
import { goodText } from '#server/platform/text/good-text.ts'
import type { HookAction } from '#shared/incoming-hooks/api.ts'
import { fillFrom } from '#shared/incoming-hooks/mapping.ts'

/** The values of an action, from a program's JSON. */
export interface FilledAction {
  readonly number: string
  readonly name: string | undefined
  readonly text: string | undefined
  readonly values: Readonly<Record<string, string>>
  readonly variables: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
  /** All of them, by field of the action: `number`, `values.body.1`. */
  readonly all: ReadonlyMap<string, string>
  /** The field of the program's JSON that a field of the action was taken from; that itself, if it is fixed text. */
  sourceOf(field: string): string
}

const inBody = (path: string): string => (path.startsWith('[') ? `body${path}` : `body.${path}`)

/**
 * Fills the values of an action from a program's JSON. What describes the contact may be missing in it; everything else
 * must be there. @throws InvalidInput naming each field of the JSON
 */
export function fillAction(action: HookAction, json: unknown): FilledAction {
  const sources = new Map<string, string>()
  const all = new Map<string, string>()
  const faults: FieldFault[] = []
  const fill = (field: string, text: string | undefined, isOptional = false): string | undefined => {
    if (text === undefined) return undefined
    const filled = fillFrom(text, json)
    if (filled.path !== undefined) sources.set(field, inBody(filled.path))
    if ('text' in filled) {
      const value = goodText(filled.text)
      all.set(field, value)
      return value
    }
    if (isOptional && filled.fault !== 'pathInvalid') return undefined
    faults.push({ field: inBody(filled.path), code: filled.fault, params: { path: filled.path } })
    return undefined
  }
  const fillEach = (part: string, given: Readonly<Record<string, string>> = {}, isOptional = false) =>
    Object.fromEntries(
      Object.entries(given).flatMap(([name, text]) => {
        const value = fill(`${part}.${name}`, text, isOptional)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  const number = fill('number', action.number) ?? ''
  const filled = {
    number,
    name: fill('name', action.name, action.kind !== 'contact'),
    text: fill('text', action.text),
    values: fillEach('values', action.values),
    variables: fillEach('variables', action.variables),
    fields: fillEach('fields', action.fields, true),
  }
  if (faults.length) throw new InvalidInput(faults)
  return { ...filled, all, sourceOf: field => sources.get(field) ?? field }
}

/** Fields of the services that do it, and of the action. */
const fieldNames: readonly (readonly [of: RegExp, is: string])[] = [
  [/^body\.numberTel$/, 'number'],
  [/^body\.bodyExample\./, 'values.body.'],
  [/^body\.headerExample\./, 'values.header.'],
  [/^body\.buttonExample\./, 'values.buttons.'],
  [/^body\.image$/, 'values.header.media'],
  [/^body\.userId$/, 'memberId'],
  [/^body\./, ''],
]

/** The refusal of a service, with the names that the program knows. */
export function inTheirWords(error: unknown, { sourceOf }: Pick<FilledAction, 'sourceOf'>): unknown {
  const renamed = (field: string): string => {
    const [of, is] = fieldNames.find(([pattern]) => pattern.test(field)) ?? [/^$/, '']
    return sourceOf(field.replace(of, is))
  }
  if (error instanceof InvalidInput)
    return new InvalidInput(
      error.faults.map(one => ({ ...one, field: renamed(one.field) })),
      error.code,
      error.status,
      { ...error.params },
    )
  if (!(error instanceof AppError) || !error.fields.length) return error
  const { code, status, params, textCode } = error
  return new AppError(code, status, { params: { ...params }, textCode, fields: error.fields.map(renamed) })
}
