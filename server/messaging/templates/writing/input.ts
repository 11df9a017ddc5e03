import { InvalidInput } from '#server/platform/http/validate.ts'
import type { TemplateDraft } from '#shared/templates/api.ts'
import { checkTemplate } from '#shared/templates/check.ts'
import type { TemplateFault } from '#shared/templates/fault.ts'

/** The error for a template that Meta would refuse, naming each field below `body.template`. */
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
