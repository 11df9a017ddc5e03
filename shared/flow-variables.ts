/** What every flow knows of its customer; its own variables are `flujo.NAME`. */
export const builtInVariables = ['contacto.nombre', 'contacto.telefono', 'org.nombre', 'ultimo_mensaje'] as const
export type BuiltInVariable = (typeof builtInVariables)[number]

/** A flow's own variables by name, without `flujo.`. */
export type FlowVariables = Readonly<Record<string, string>>

/** No text that is put together grows beyond this. */
export const variableMaxChars = 4096

const reference = /\{\{\s*([a-z][a-z0-9_.]{0,59})\s*(?:\|([^{}]{0,200}))?\}\}/g

/** The variables a text names, in their order. */
export const variablesIn = (text: string): string[] => [...text.matchAll(reference)].map(([, name]) => name as string)

/** A text between and around the variables it names. */
export const partsOf = (text: string): (string | { readonly name: string; readonly otherwise: string })[] => {
  const parts: (string | { name: string; otherwise: string })[] = []
  let from = 0
  for (const { 0: whole, 1: name = '', 2: otherwise = '', index } of text.matchAll(reference)) {
    parts.push(text.slice(from, index), { name, otherwise })
    from = index + whole.length
  }
  return [...parts, text.slice(from)].filter(part => part !== '')
}

/** The value between braces; undefined: there is none. */
export const variableValue = (
  name: string,
  own: FlowVariables,
  builtIn: Readonly<Record<BuiltInVariable, string>>,
): string | undefined => {
  if (name.startsWith('flujo.')) {
    const key = name.slice('flujo.'.length)
    return Object.hasOwn(own, key) ? own[key] : undefined
  }
  return Object.hasOwn(builtIn, name) ? builtIn[name as BuiltInVariable] : undefined
}

/**
 * A text with its values in place: `{{contacto.nombre|cliente}}`. What is missing or empty is its default, else nothing;
 * values are taken as they are, their own braces name nothing.
 */
export const fillIn = (text: string, own: FlowVariables, builtIn: Readonly<Record<BuiltInVariable, string>>): string =>
  text
    .replace(reference, (_, name: string, otherwise: string | undefined) =>
      (variableValue(name, own, builtIn) || otherwise || '').trim(),
    )
    .slice(0, variableMaxChars)
