import { asRecord, asText } from '#shared/templates/fault.ts'
import { isNumber, variableNames } from '#shared/templates/variables.ts'

/** Reads a text's examples in any of Meta's three formats. */
export const examplesOf = (text: string, example: unknown): Record<string, string> => {
  const given = asRecord(example) ?? {}
  const found: Record<string, string> = {}
  for (const list of [given.body_text_named_params, given.header_text_named_params])
    for (const one of Array.isArray(list) ? list : []) {
      const name = asText(asRecord(one)?.param_name)
      const value = asText(asRecord(one)?.example)
      if (name !== undefined && value !== undefined) found[name] = value
    }
  const row = Array.isArray(given.body_text) ? given.body_text[0] : undefined
  const values: readonly unknown[] = Array.isArray(row)
    ? row
    : Array.isArray(given.header_text)
      ? given.header_text
      : []
  for (const name of variableNames(text)) {
    const value = isNumber(name) ? asText(values[Number(name) - 1]) : undefined
    if (value !== undefined) found[name] = value
  }
  return found
}

/** A variable's example. Its name may equal a built-in property of objects. */
export const exampleFor = (examples: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(examples, name) ? (examples[name] ?? '') : ''
