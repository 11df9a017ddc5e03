import { checkTemplate } from '#shared/template-check.ts'
import type { TemplateFault } from '#shared/template-fault.ts'
import type { TemplateDraft } from '#shared/templates.ts'
import { InvalidInput } from '../validate.ts'

/** The refusal of a template that Meta would refuse, naming each field below `body.template`. */
export const invalidTemplate = (faults: readonly TemplateFault[]): InvalidInput =>
  new InvalidInput(
    faults.map(({ field, code, params }) => ({
      field: `body.template.${field}`,
      code,
      params: { ...params },
      text: `templates:fault.${code}`,
    })),
  )

/** @throws InvalidInput */
export const requireValid = (template: TemplateDraft): void => {
  const faults = checkTemplate(template)
  if (faults.length) throw invalidTemplate(faults)
}
