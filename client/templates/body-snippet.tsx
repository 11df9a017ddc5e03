import { useTranslation } from 'react-i18next'
import type { Template } from '#shared/templates/api.ts'
import { findComponent } from '#shared/templates/components.ts'
import { variablesIn } from '#shared/templates/variables.ts'

const longest = 240

/** A template's text with variables highlighted. */
export function MarkedText({ text }: { readonly text: string }) {
  const variables = variablesIn(text)
  return (
    <span>
      {variables.map(({ name, from }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place in the text is what tells them apart
        <span key={i}>
          {text.slice(variables[i - 1]?.to ?? 0, from)}
          <var>{name}</var>
        </span>
      ))}
      {text.slice(variables.at(-1)?.to ?? 0)}
    </span>
  )
}

/** The text in one line. */
export function BodySnippet({ template }: { template: Pick<Template, 'components'> }) {
  const { t } = useTranslation('templates')
  const text = findComponent(template.components, 'BODY')?.text?.slice(0, longest)
  return text ? <MarkedText text={text} /> : <span>{t('codeText')}</span>
}
