import type { Template } from '#shared/templates.ts'
import type { TypedAudience } from './audience-fields.tsx'
import type { Beginning } from './beginning.ts'

/** What is being put together stays with the tab: a reload or a wrong click loses nothing, and it goes when the tab does. */
const keyOf = (slug: string) => `recado:bulk-send:${slug}`
const version = 1

/** The template as it is then, and not as it was. A file is of whoever chose it. */
export interface KeptSteps extends Pick<Beginning, 'sources' | 'cap' | 'care'> {
  readonly templateId: string | undefined
  readonly typed: Omit<TypedAudience, 'file'>
  readonly hadFile: boolean
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isKept = (value: unknown): value is KeptSteps =>
  isObject(value) &&
  isObject(value.typed) &&
  Array.isArray(value.typed.tagIds) &&
  typeof value.typed.numbers === 'string' &&
  isObject(value.sources) &&
  isObject(value.cap) &&
  isObject(value.care)

export const stepsOf = ({ template, typed: { file, ...typed }, sources, cap, care }: Beginning): KeptSteps => ({
  templateId: template?.id,
  typed,
  hadFile: file !== undefined,
  sources,
  cap,
  care,
})

/** The same steps again, over those of nobody. `template`: theirs as it is now; undefined: none was chosen, or it cannot be sent any more. */
export const beginningFrom = (kept: KeptSteps, template: Template | undefined, blank: Beginning): Beginning => ({
  template,
  typed: { ...blank.typed, ...kept.typed, file: undefined },
  sources: template
    ? Object.fromEntries(Object.entries(kept.sources).filter(([, source]) => source.from !== 'column'))
    : {},
  cap: { ...blank.cap, ...kept.cap },
  care: { ...blank.care, ...kept.care },
})

/** Undefined: nothing, or nothing this version can read. */
export const readKeptSteps = (slug: string): KeptSteps | undefined => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(slug)) ?? 'null')
    return isObject(kept) && kept.version === version && isKept(kept.steps) ? kept.steps : undefined
  } catch {
    return undefined // Storage is forbidden here, or somebody else wrote in it.
  }
}

export const keepSteps = (slug: string, steps: KeptSteps): void => {
  try {
    sessionStorage.setItem(keyOf(slug), JSON.stringify({ version, steps }))
  } catch {
    // Full or forbidden storage: it lives as long as the page.
  }
}

export const forgetSteps = (slug: string): void => {
  try {
    sessionStorage.removeItem(keyOf(slug))
  } catch {
    // Nothing could be kept either.
  }
}
