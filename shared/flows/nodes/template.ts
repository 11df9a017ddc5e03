import { templateText } from '../names.ts'
import { readChoice, type TemplateChoice, templateFields } from './fields.ts'
import type { NodeKind } from './kind.ts'
import { choiceProblems, choiceTexts } from './template-choice.ts'

export { templateFields }

/** An approved template, which WhatsApp takes with its window closed too. */
export const template: NodeKind<TemplateChoice> = {
  icon: 'M6 3.500h9l4 4V20a.5.5 0 0 1-.5.5h-12.500A.5.5 0 0 1 5.500 20V4a.5.5 0 0 1 .5-.5ZM15 3.500v4h4M8.500 12h7M8.500 15.500h5',
  summary: ({ template }) => template,
  messageTextFrom: templateText,
  defaults: readChoice({}),
  texts: node => choiceTexts(node, 'values'),
  problems: (node, { facts }) => choiceProblems(node, 'template', 'values', facts),
  uses: ({ template, language, values }) => ({ templates: [{ template, language, values }] }),
}
