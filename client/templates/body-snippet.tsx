import { useTranslation } from 'react-i18next'
import type { Template } from '#shared/templates/api.ts'
import { findComponent } from '#shared/templates/components.ts'
import { isNumber, variablesIn } from '#shared/templates/variables.ts'
import { type KnownContact, valuesOfContact } from './contact-values.ts'
import { exampleFor, examplesOf } from './example-values.ts'

const longest = 240

interface MarkedTextProps {
  readonly text: string
  /** The component's examples, as Meta stores them. */
  readonly example?: unknown
  /** Known values, by variable. */
  readonly known?: Readonly<Record<string, string>>
  /** The name shown for a variable without a value. Default: as it is written. */
  readonly nameOf?: ((name: string) => string) | undefined
}

/** A template's text with its examples highlighted in the place of variables. */
export function MarkedText({ text, example, known = {}, nameOf }: MarkedTextProps) {
  const examples = examplesOf(text, example)
  const variables = variablesIn(text)
  return (
    <span>
      {variables.map(({ name, from }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place in the text is what tells them apart
        <span key={i}>
          {text.slice(variables[i - 1]?.to ?? 0, from)}
          <var dir="auto">
            {known[name] || exampleFor(examples, name) || (isNumber(name) ? `{{${name}}}` : (nameOf?.(name) ?? name))}
          </var>
        </span>
      ))}
      {text.slice(variables.at(-1)?.to ?? 0)}
    </span>
  )
}

const bodyField = 'body.bodyExample.'

/** The beginning of a template's text. With a `contact`, values that are known of them replace the examples. */
export function BodySnippet({
  template: { components },
  contact,
}: {
  template: Pick<Template, 'components'>
  contact?: KnownContact | undefined
}) {
  const { t } = useTranslation('templates')
  const body = findComponent(components, 'BODY')
  const text = body?.text?.slice(0, longest)
  const known = Object.fromEntries(
    Object.entries(contact ? valuesOfContact(components, contact) : {}).flatMap(([field, value]) =>
      field.startsWith(bodyField) ? [[field.slice(bodyField.length), value]] : [],
    ),
  )
  return text ? <MarkedText text={text} example={body?.example} known={known} /> : <span>{t('codeText')}</span>
}
