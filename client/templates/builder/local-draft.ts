import type { TemplateForm } from './form.ts'

/** Unsaved text is stored in this browser, so that a reload or crash loses nothing. */
const keyOf = (slug: string, what: string) => `recado:template:${slug}:${what}`
const version = 1

interface Kept {
  readonly version: number
  readonly form: TemplateForm
}

const isForm = (value: unknown): value is TemplateForm => {
  const form = value as Partial<TemplateForm> | null
  return (
    typeof form === 'object' &&
    form !== null &&
    typeof form.body === 'string' &&
    typeof form.name === 'string' &&
    typeof form.header === 'object' &&
    typeof form.code === 'object' &&
    Array.isArray(form.buttons) &&
    Array.isArray(form.cards)
  )
}

/** The stored form. Undefined: none, or of an unreadable version. */
export const readLocalDraft = (slug: string, what: string): TemplateForm | undefined => {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(slug, what)) ?? 'null') as Kept | null
    return kept?.version === version && isForm(kept.form) ? kept.form : undefined
  } catch {
    return undefined // Storage is forbidden, or its content invalid.
  }
}

export const keepLocalDraft = (slug: string, what: string, form: TemplateForm): void => {
  try {
    localStorage.setItem(keyOf(slug, what), JSON.stringify({ version, form } satisfies Kept))
  } catch {
    // Storage is full or forbidden: kept as long as the page.
  }
}

export const forgetLocalDraft = (slug: string, what: string): void => {
  try {
    localStorage.removeItem(keyOf(slug, what))
  } catch {
    // Then nothing was stored either.
  }
}
