import { neededValues } from '#client/templates/send-values.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import type { Template } from '#shared/templates/api.ts'
import { isMarketingCategory } from '#shared/templates/words.ts'
import { audienceOf, type TypedAudience } from '../audience/audience-fields.tsx'
import { faultyIn, headerKindOf, type Sources, withKeptFiles } from '../values/header-values.ts'
import { missingIn, valuesOf } from '../values/value-fields.tsx'
import { capOf, type TypedCap } from './recipients/cap-fields.tsx'
import type { StepName } from './use-step.ts'

interface Asked {
  /** Undefined: no recipients are chosen. */
  readonly audience: PlanInput['audience'] | undefined
  readonly areValuesMissing: boolean
  /** Without values while some are missing. Undefined: the template, the audience or the marketing cap is. */
  readonly request: PlanInput | undefined
}

interface Typed {
  readonly template: Template | undefined
  readonly typed: TypedAudience
  readonly sources: Sources
  readonly cap: TypedCap
}

/** True for a marketing template, whose recipients may have a cap. */
export const isMarketing = (template: Template | undefined): boolean =>
  template !== undefined && isMarketingCategory(template.category)

/** Builds the request from the form's values. */
export function requestOf({ template, typed, sources, cap }: Typed): Asked {
  const audience = audienceOf(typed)
  const areValuesMissing =
    template !== undefined &&
    (missingIn(template, sources).length > 0 ||
      faultyIn(template.components, withKeptFiles(template, sources)).length > 0)
  const isCapped = isMarketing(template)
  const marketingCap = isCapped ? capOf(cap) : undefined
  const request =
    template && audience && !(isCapped && marketingCap === undefined)
      ? {
          template: template.id,
          audience,
          ...(areValuesMissing ? {} : { values: valuesOf(template, sources) }),
          ...(marketingCap === undefined ? {} : { marketingCap }),
        }
      : undefined
  return { audience, areValuesMissing, request }
}

/** The steps of a send. Templates without variables have no step for values. */
export function orderOf(template: Template | undefined): readonly StepName[] {
  const hasValues =
    template === undefined ||
    neededValues(template.components).length > 0 ||
    headerKindOf(template.components) !== undefined
  return ['template', 'audience', ...(hasValues ? (['values'] as const) : []), 'test', 'plan']
}

/** The first step where something is missing. No later one opens before it is done. */
export function firstUndone(
  template: Template | undefined,
  { request, areValuesMissing }: Asked,
): StepName | undefined {
  if (!template) return 'template'
  if (!request) return 'audience'
  return areValuesMissing ? 'values' : undefined
}
