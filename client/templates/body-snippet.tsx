import { useTranslation } from 'react-i18next'
import type { Template } from '#shared/templates/api.ts'
import { findComponent } from '#shared/templates/components.ts'
import { isNumber, variablesIn } from '#shared/templates/variables.ts'
import { exampleFor, examplesOf } from './example-values.ts'

const longest = 240

interface MarkedTextProps {
  readonly text: string
  /** The component's examples, as Meta stores them. */
  readonly example?: unknown
}

/** A template's text with its examples highlighted in the place of variables. */
export function MarkedText({ text, example }: MarkedTextProps) {
  const examples = examplesOf(text, example)
  const variables = variablesIn(text)
  return (
    <span>
      {variables.map(({ name, from }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place in the text is what tells them apart
        <span key={i}>
          {text.slice(variables[i - 1]?.to ?? 0, from)}
          <var dir="auto">{exampleFor(examples, name) || (isNumber(name) ? '…' : name)}</var>
        </span>
      ))}
      {text.slice(variables.at(-1)?.to ?? 0)}
    </span>
  )
}

/** The text in one line. */
export function BodySnippet({ template }: { template: Pick<Template, 'components'> }) {
  const { t } = useTranslation('templates')
  const body = findComponent(template.components, 'BODY')
  const text = body?.text?.slice(0, longest)
  return text ? <MarkedText text={text} example={body?.example} /> : <span>{t('codeText')}</span>
}
