import { readChoice, type TemplateChoice, templateFields } from './fields.ts'
import type { NodeKind } from './kind.ts'
import { choiceProblems, choiceTexts } from './template-choice.ts'

export { templateFields }

/** An approved template, which WhatsApp takes with its window closed too. */
export const template: NodeKind<TemplateChoice> = {
  defaults: readChoice({}),
  texts: node => choiceTexts(node, 'values'),
  problems: (node, { facts }) => choiceProblems(node, 'template', 'values', facts),
  uses: ({ template, language, values }) => ({ templates: [{ template, language, values }] }),
}
