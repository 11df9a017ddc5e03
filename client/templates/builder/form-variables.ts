import { isNumber, isVariableName, variableNames, variablesIn } from '#shared/templates/variables.ts'
import type { ParameterFormat } from '#shared/templates/words.ts'
import type { CardForm, TemplateForm } from './form.ts'

type Names = ReadonlyMap<string, string>

const renamed = (text: string, names: Names): string => {
  let rest = ''
  let at = 0
  for (const { name, from, to } of variablesIn(text)) {
    rest += `${text.slice(at, from)}{{${names.get(name) ?? name}}}`
    at = to
  }
  return rest + text.slice(at)
}

const renamedKeys = (examples: Readonly<Record<string, string>>, names: Names): Record<string, string> =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [names.get(name) ?? name, value]))

const inOrder = (text: string): string[] => [...new Set(variablesIn(text).map(({ name }) => name))]

/** Names of a text's variables in the other style. */
const namesFor = (text: string, format: ParameterFormat, prefix: string): Names =>
  new Map(
    format === 'NAMED'
      ? variableNames(text)
          .filter(isNumber)
          .map(name => [name, `${prefix}_${name}`])
      : inOrder(text).map((name, i) => [name, String(i + 1)]),
  )

/** Converts all variables and examples to the other style. */
export const withFormat = (form: TemplateForm, format: ParameterFormat, prefix: string): TemplateForm => {
  const body = namesFor(form.body, format, prefix)
  const header = namesFor(form.header.text, format, prefix)
  const card = (one: CardForm): CardForm => {
    const names = namesFor(one.body, format, prefix)
    return { ...one, body: renamed(one.body, names), examples: renamedKeys(one.examples, names) }
  }
  return {
    ...form,
    format,
    body: renamed(form.body, body),
    examples: renamedKeys(form.examples, body),
    header: {
      ...form.header,
      text: renamed(form.header.text, header),
      examples: renamedKeys(form.header.examples, header),
    },
    cards: form.cards.map(card),
  }
}

/** A variable name that the text does not have yet. */
export const nextVariable = (text: string, format: ParameterFormat, prefix: string): string => {
  const known = new Set(variableNames(text))
  const nameOf = (n: number) => (format === 'NAMED' ? `${prefix}_${n}` : String(n))
  let n = 1
  while (known.has(nameOf(n))) n += 1
  return nameOf(n)
}

/** Validly named variables, for which an example is needed. */
export const askedVariables = (text: string, format: ParameterFormat): string[] =>
  variableNames(text).filter(format === 'NAMED' ? isVariableName : isNumber)
