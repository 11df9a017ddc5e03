import { Type } from 'typebox'
import { outboundLimits } from '#shared/outbound/api.ts'
import { flowLimits, waitUnitMs } from '../limits.ts'
import type { Found } from '../problems/problem.ts'
import { ownLength } from '../variables.ts'
import {
  type ContentOf,
  closed,
  Fallback,
  PartId,
  type TemplateChoice,
  Text,
  TimeoutMs,
  VariableName,
  withFallback,
} from './fields.ts'
import type { NodeKind } from './kind.ts'
import { choiceProblems, choiceTexts } from './template-choice.ts'

const Option = Type.Object(
  { id: PartId, title: Type.String({ maxLength: 80 }), description: Type.Optional(Type.String({ maxLength: 200 })) },
  closed,
)
export const buttonsFields = {
  text: Type.Optional(Text),
  options: Type.Optional(
    Type.Array(Option, {
      maxItems: flowLimits.options,
      description: 'One to three are buttons, four to ten a list.',
    }),
  ),
  listLabel: Type.Optional(Type.String({ maxLength: 80, description: 'Label of the button that opens the list.' })),
  fallback: Fallback,
  variable: Type.Optional(VariableName),
  timeoutMs: Type.Optional(TimeoutMs),
}
type Buttons = Omit<ContentOf<typeof buttonsFields, 'text' | 'options' | 'timeoutMs'>, 'fallback'> & {
  readonly fallback?: TemplateChoice
}

const isList = ({ options }: Buttons): boolean => options.length > outboundLimits.buttons

const optionProblems = (node: Buttons): Found[] => {
  const { options, listLabel = '' } = node
  const limit = isList(node) ? outboundLimits.rowTitle : outboundLimits.buttonTitle
  const titles = new Set<string>()
  const found: Found[] = options.length ? [] : [{ field: 'options', code: 'optionsMissing' }]
  const addIfLong = (text: string, limit: number, field: string, code: Found['code']): boolean => {
    const length = ownLength(text)
    if (length > limit) found.push({ field, code, params: { limit, length } })
    return length > limit
  }
  for (const { id, title, description = '' } of options) {
    const field = `options.${id}`
    const shown = title.trim()
    if (!shown) found.push({ field, code: 'titleMissing' })
    else if (!addIfLong(shown, limit, field, 'titleTooLong') && titles.has(shown))
      found.push({ field, code: 'titleTwice', params: { title: shown } })
    titles.add(shown)
    if (isList(node)) addIfLong(description, outboundLimits.rowDescription, field, 'descriptionTooLong')
  }
  if (new Set(options.map(({ id }) => id)).size < options.length) found.push({ field: 'options', code: 'idTwice' })
  if (isList(node) && !listLabel.trim()) found.push({ field: 'listLabel', code: 'listLabelMissing' })
  if (isList(node)) addIfLong(listLabel.trim(), outboundLimits.buttonTitle, 'listLabel', 'listLabelTooLong')
  return found
}

/** Offers options and waits for one. An option's output is the option's id. */
export const buttons: NodeKind<Buttons> = {
  icon: 'M6 4h12a2 2 0 0 1 2 2v2a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2ZM6 14h12a2 2 0 0 1 2 2v2a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-2a2 2 0 0 1 2-2Z',
  tone: 'asks',
  summary: ({ text }) => text,
  defaults: { text: '', options: [], timeoutMs: 0 },
  create: newId => ({ text: '', options: [{ id: newId(), title: '' }], timeoutMs: 0 }),
  read: withFallback,
  outputs: ({ options, timeoutMs }) => [...options.map(({ id }) => id), 'other', ...(timeoutMs ? ['timeout'] : [])],
  outputName: ({ options }, output) => options.find(({ id }) => id === output)?.title,
  waits: true,
  breaksLoops: true,
  sendsMessage: true,
  messageText: ({ text }) => text,
  textLimit: node => (isList(node) ? outboundLimits.listBody : outboundLimits.interactiveBody),
  texts: ({ text, options, listLabel, fallback }) => [
    { field: 'text', text, isRequired: true },
    ...options.flatMap(({ id, title, description = '' }) => [
      { field: `options.${id}`, text: title },
      { field: `options.${id}`, text: description },
    ]),
    { field: 'listLabel', text: listLabel ?? '' },
    ...choiceTexts(fallback, 'fallback'),
  ],
  problems: (node, { facts }) => [
    ...choiceProblems(node.fallback, 'fallback', 'fallback', facts),
    ...optionProblems(node),
  ],
  uses: ({ variable, fallback, listLabel }) => ({
    ...(variable ? { sets: [variable, `${variable}_id`] } : {}),
    ...(fallback ? { templates: [fallback] } : {}),
    // Buttons whose titles grow too long become a list.
    ...(listLabel?.trim() ? {} : { facts: ['listLabel'] }),
  }),
  silentMinutes: ({ timeoutMs }, output, before) =>
    output === 'timeout' ? before + timeoutMs / waitUnitMs.minutes : 0,
}
