/** A fault of a template, by field: `name`, `components.1.text`, `components.3.buttons.0.url`. */
export interface TemplateFault {
  readonly field: string
  /** Its text is `templates:fault.{code}`, with `params`. */
  readonly code: string
  readonly params: Readonly<Record<string, string | number>>
}

/** Collects faults below a field: `at(faults, 'components.1')('text', 'tooLong', { max: 1024 })`. */
export type Report = (field: string, code: string, params?: Record<string, string | number>) => void

export const reportInto =
  (faults: TemplateFault[], base: string): Report =>
  (field, code, params = {}) => {
    const path = [base, field].filter(Boolean).join('.')
    // Only the first fault of a field: others mostly follow from it.
    if (!faults.some(fault => fault.field === path)) faults.push({ field: path, code, params })
  }

export type Loose = Record<string, unknown>
export const asRecord = (value: unknown): Loose | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : undefined
export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
