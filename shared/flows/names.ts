import type { TemplateChoice } from './nodes/fields.ts'

/** Names of the objects a flow refers to. */
export interface FlowNames {
  readonly tags: ReadonlyMap<string, string>
  readonly teams: ReadonlyMap<string, string>
  readonly members: ReadonlyMap<string, string>
  readonly flows: ReadonlyMap<string, string>
  /** The last bulk sends. */
  readonly sends: ReadonlyMap<string, string>
  /** Texts of approved templates by name and language; empty if no step has one. */
  readonly templates: ReadonlyMap<string, string>
}

export const templateKey = ({ template, language }: Pick<TemplateChoice, 'template' | 'language'>): string =>
  `${template} ${language}`

/** A template's text as far as it is known, with the values of the step. */
export const templateText = (choice: TemplateChoice, names: Pick<FlowNames, 'templates'>): string =>
  (names.templates.get(templateKey(choice)) ?? '').replace(
    /\{\{(\w+)\}\}/g,
    (place, name: string) => choice.values[`body.${name}`]?.trim() || place,
  )
