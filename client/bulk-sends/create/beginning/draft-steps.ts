import { type BulkDraftSteps, bulkDraftLimits } from '#shared/bulk-sends/drafts.ts'
import type { Template } from '#shared/templates/api.ts'
import type { Sources } from '../../values/header-values.ts'
import type { Beginning } from './beginning.ts'

/** Longer input of a number field is discarded. */
const typedMaxChars = 20
const textMaxChars = 1024

const cut = <T extends object>(typed: T): T =>
  Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, typedMaxChars) : value,
    ]),
  ) as T

const isKeepable = ({ text = '', fallback = '' }: Sources[string]): boolean =>
  text.length <= textMaxChars && fallback.length <= textMaxChars

/** The steps as a draft stores them: without files and long lists of numbers. */
export function stepsOf({ name, template, typed, sources, cap, care }: Beginning): BulkDraftSteps {
  const { tagIds, match, numbers, file, segment, unanswered, again } = typed
  const hadMoreNumbers = numbers.length > bulkDraftLimits.numbersChars
  return {
    ...(name ? { name } : {}),
    ...(template ? { template: { id: template.id, name: template.name, language: template.language } } : {}),
    audience: {
      tagIds: [...tagIds],
      match,
      numbers: hadMoreNumbers ? '' : numbers,
      ...(segment ? { segment } : {}),
      ...(unanswered ? { unanswered } : {}),
      ...(again ? { again } : {}),
    },
    hadFile: file !== undefined,
    hadMoreNumbers,
    sources: Object.fromEntries(Object.entries(sources).filter(([, source]) => isKeepable(source))),
    cap: cut(cap),
    care: cut(care),
  }
}

const contentOf = (steps: BulkDraftSteps): string => JSON.stringify(steps)

export const areSameSteps = (one: BulkDraftSteps, other: BulkDraftSteps): boolean => contentOf(one) === contentOf(other)

/**
 * True if the steps have changed enough to be saved as a draft. Choosing only a template is not enough, because one
 * click repeats it. The first argument: the steps that the page began with.
 */
export const isWorthKeeping = ({ template: _, ...before }: BulkDraftSteps, { template: __, ...now }: BulkDraftSteps) =>
  !areSameSteps(before, now)

/** Initial values from a draft. `template`: its current template; undefined: none, or it can no longer be sent. */
export const beginningFrom = (
  { name = '', audience, sources, cap, care }: BulkDraftSteps,
  template: Template | undefined,
  blank: Beginning,
): Beginning => ({
  name,
  template,
  typed: { ...blank.typed, ...audience, file: undefined },
  sources: template ? Object.fromEntries(Object.entries(sources).filter(([, source]) => source.from !== 'column')) : {},
  cap,
  care,
})
