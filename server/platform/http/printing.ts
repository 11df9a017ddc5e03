import fastJson from 'fast-json-stringify'

export type Print = (answer: unknown) => string

const printers = new WeakMap<object, Print>()

/**
 * Prints answers as JSON by their schema: what it does not name is left out. Compiled when it is first used, and once
 * for everybody who prints by that schema: most calls of a process are never made in its first minutes.
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
