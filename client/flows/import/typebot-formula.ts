import { readFormula } from '#shared/flows/formula/formula.ts'
import { FormulaFault, formulaMaxChars } from '#shared/flows/formula/parse.ts'
import { flowLimits } from '#shared/flows/limits.ts'

/** Typebot runs a value as JavaScript if it looks like code. */
export const looksWorkedOut = (text: string): boolean =>
  !/^https?:\/\/\S+$/.test(text) && /[()=;`]|\}\}\s*[-+*/%]|[-+*/%]\s*\{\{|=>|\breturn\b/.test(text)

/** JavaScript functions and their names in formulas. */
const functions: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bMath\.round\s*\(/g, 'redondear('],
  [/\bMath\.trunc\s*\(/g, 'entero('],
  [/\bMath\.(abs|min|max)\s*\(/g, '$1('],
  [/\b(?:Number|parseFloat)\s*\(/g, 'numero('],
  [/\bString\s*\(/g, 'texto('],
]

/**
 * A Typebot expression, with its variables already renamed, as a formula with the same result; undefined: there is
 * none. JavaScript's `+` also joins texts: it does if one operand is a quoted text.
 */
export function formulaOf(expression: string): string | undefined {
  let text = expression
    .trim()
    .replace(/^return\b\s*/, '')
    .replace(/;\s*$/, '')
  for (const [pattern, name] of functions) text = text.replace(pattern, name)
  const quoted = /"[^"]*"|'[^']*'/g
  const outside = text.replace(quoted, '')
  text = text.replace(
    /("[^"]*"|'[^']*')|(===|!==)|\+/g,
    (whole, literal: string | undefined, strict: string | undefined) => {
      if (literal !== undefined) return literal
      if (strict !== undefined) return strict === '===' ? '=' : '!='
      return quoted.test(text) ? '&' : whole
    },
  )
  // Mixing texts and sums would give a different result.
  if (text.includes('&') && !outside.includes('&') && /[-*/%]|\d/.test(outside.replace(/\{\{[^{}]*\}\}/g, '')))
    return undefined
  if (text.length > Math.min(formulaMaxChars, flowLimits.text)) return undefined
  return readFormula(text) instanceof FormulaFault ? undefined : text
}
