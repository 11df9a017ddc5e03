import { isApproved } from '#shared/templates/words.ts'
import type { FlowFacts, Found } from '../problems/problem.ts'
import { canBeSent, neededValues } from '../templates.ts'
import type { TemplateChoice } from './fields.ts'
import type { NodeText } from './kind.ts'

/** The values of a template, which may hold variables. `field`: the prefix of their field names. */
export const choiceTexts = (choice: TemplateChoice | undefined, field: string): NodeText[] =>
  Object.entries(choice?.values ?? {}).map(([at, text]) => ({ field: `${field}.${at}`, text }))

/** Problems of a template that a node sends. `valueField`: the prefix of the field names of its values. */
export const choiceProblems = (
  choice: TemplateChoice | undefined,
  field: string,
  valueField: string,
  { templates }: FlowFacts,
): Found[] => {
  if (!choice) return []
  const { template: name, language, values } = choice
  if (!name) return [{ field, code: 'templateMissing' }]
  const found = templates?.find(one => one.name === name && one.language === language)
  if (!found) return templates ? [{ field, code: 'templateGone', params: { name } }] : []
  if (!isApproved(found.status)) return [{ field, code: 'templateNotApproved', params: { name } }]
  if (!canBeSent(found.components)) return [{ field, code: 'templateNotHere', params: { name } }]
  return neededValues(found.components).flatMap(({ at, name }) =>
    values[at]?.trim() ? [] : [{ field: `${valueField}.${at}`, code: 'templateValueMissing', params: { name } }],
  )
}
