import type { BulkRecipe } from '#shared/bulk-sends/sends.ts'
import { maxChatsAtOnce } from '#shared/inbox/chat-changes.ts'
import type { Template } from '#shared/templates/api.ts'
import { isApproved } from '#shared/templates/words.ts'
import { nobody, type TypedAudience } from '../../audience/audience-fields.tsx'
import type { Sources } from '../../values/header-values.ts'
import { sourcesOf } from '../../values/value-fields.tsx'
import { type TypedCare, usualCare } from '../plan/care.ts'
import { type TypedCap, usualCap } from '../recipients/cap-fields.tsx'

/** Initial values of the steps. */
export interface Beginning {
  /** The name of the send. Empty: it is named after its template and today. */
  readonly name: string
  readonly template: Template | undefined
  readonly typed: TypedAudience
  readonly sources: Sources
  readonly cap: TypedCap
  readonly care: TypedCare
}

export const blank: Beginning = {
  name: '',
  template: undefined,
  typed: nobody,
  sources: {},
  cap: usualCap,
  care: usualCare,
}

/** The numbers in an address. */
export const numbersTo = (query: URLSearchParams): string[] =>
  (query.get('to')?.match(/\d{5,15}/g) ?? []).slice(0, maxChatsAtOnce).map(number => `+${number}`)

/** Initial values of a send to these numbers. */
export const beginningTo = (numbers: readonly string[]): Beginning => ({
  ...blank,
  typed: { ...nobody, numbers: numbers.join(', ') },
})

/** Initial values of a send to a saved segment. */
export const beginningToSegment = (segment: string): Beginning => ({ ...blank, typed: { ...nobody, segment } })

const orEmpty = (percent: number | null): string => (percent === null ? '' : String(percent))

const careFrom = ({ canary, hours, limits }: BulkRecipe): TypedCare => ({
  ...usualCare,
  ...(canary ? { hasCanary: true, people: String(canary.people), waitMinutes: String(canary.waitMinutes) } : {}),
  ...(hours ? { hasHours: true, from: String(hours.from), to: String(hours.to) } : {}),
  failedPercent: orEmpty(limits.failedPercent),
  optedOutPercent: orEmpty(limits.optedOutPercent),
})

/** Initial values that repeat a send. `template`: the recipe's current template; undefined: it no longer exists. */
export function beginningOf(recipe: BulkRecipe, template: Template | undefined): Beginning {
  const { tags, segment, unanswered, again } = recipe.audience
  const isUsable = template !== undefined && isApproved(template.status)
  return {
    name: '',
    template: isUsable ? template : undefined,
    typed: {
      ...nobody,
      ...(tags ? { tagIds: tags.ids, match: tags.match } : {}),
      segment: segment?.id,
      unanswered: unanswered?.send,
      again: again?.send,
    },
    sources: isUsable ? sourcesOf(template, recipe.values) : {},
    cap: recipe.marketingCap
      ? { isOn: true, sends: String(recipe.marketingCap.sends), days: String(recipe.marketingCap.days) }
      : { ...usualCap, isOn: false },
    care: careFrom(recipe),
  }
}
