import fastJson from 'fast-json-stringify'

export type Print = (answer: unknown) => string

const printers = new WeakMap<object, Print>()

/**
 * Serializes answers by their schema: fields that it does not have are left out. Compiled on first use and cached by
 * schema, because most calls are not made in a process's first minutes.
 */
export const printerOf = (schema: object): Print => {
  const known = printers.get(schema)
  if (known) return known
  let compiled: Print | undefined
  const print: Print = answer => {
    compiled ??= fastJson(schema as never) as Print
    return compiled(answer)
  }
  printers.set(schema, print)
  return print
}
