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

/** The most words of a text on one side of its variable, and the letters that name it well enough. */
const [sideWords, enoughLetters] = [3, 6]
/** Words are looked for up to this far on each side, so that a text with many variables is not read again for each. */
const nearChars = 120

const wordsIn = (text: string): string[] => text.replace(/[*~`]/g, '').split(/\s+/).filter(Boolean)
const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** A variable with the words around it: `tu pedido ___`. Empty: nothing stands around it. */
const surroundings = (text: string, { from, to }: TemplateVariable): string => {
  // The comma of a greeting, as in `Hola, ___`, belongs to it.
  const left = /[^.,;:!?¡¿\n{}]*(?:,[^\S\n]*)?$/.exec(text.slice(Math.max(0, from - nearChars), from))?.[0] ?? ''
  const before = lettersIn(left) ? wordsIn(left).slice(-sideWords) : []
  const after = wordsIn(/^[^.,;:!?¡¿\n{}]*/.exec(text.slice(to, to + nearChars))?.[0] ?? '').slice(0, sideWords)
  const isEnough = lettersIn(before.join('')) >= enoughLetters
  const words = [...before, '___', ...(isEnough ? [] : after)]
  return lettersIn(words.join('')) ? words.join(' ') : ''
}

/**
 * A name for each variable of a text that people understand, by its name: its own, or for a number the words around it,
 * as in `Hola ___`. Equal ones get a number.
 */
export function variableLabels(text: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>()
  const taken = new Map<string, number>()
  for (const found of variablesIn(text)) {
    const { name } = found
    if (labels.has(name)) continue
    const label = (isNumber(name) && surroundings(text, found)) || name
    const times = (taken.get(label) ?? 0) + 1
    taken.set(label, times)
    labels.set(name, times > 1 ? `${label} (${times})` : label)
  }
  return labels
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
export const characterCount = (text: string): number => [...text].length
