/** A variable in a template's text: `{{1}}` or `{{first_name}}`. */
export interface TemplateVariable {
  /** Digits or a name. */
  readonly name: string
  /** Position in the text. */
  readonly from: number
  readonly to: number
}

const variable = /\{\{([^{}]*)\}\}/g

/** The variables of a text in order, including repetitions. */
export const variablesIn = (text: string): TemplateVariable[] =>
  [...text.matchAll(variable)].map(found => ({
    name: (found[1] as string).trim(),
    from: found.index,
    to: found.index + found[0].length,
  }))

/** Each name once, numbers in order. */
export const variableNames = (text: string): string[] => {
  const names = [...new Set(variablesIn(text).map(({ name }) => name))]
  return names.every(isNumber) ? names.sort((a, b) => Number(a) - Number(b)) : names
}

export const isNumber = (name: string): boolean => /^[1-9]\d{0,3}$/.test(name)
/** Meta: lower case letters, digits and underscores, beginning with a letter. */
export const isVariableName = (name: string): boolean => /^[a-z][a-z0-9_]{0,99}$/.test(name)

/** The text with values filled in. A variable without a value stays as written. */
export const fillVariables = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(variable, (written, inside: string) => {
    const name = inside.trim()
    return Object.hasOwn(values, name) ? (values[name] as string) : written
  })

/** One per code point. */
export const lengthOf = (text: string): number => [...text].length
