import { useTranslation } from 'react-i18next'
import { BodySnippet } from '#client/templates/body-snippet.tsx'
import { TemplateChoices } from '#client/templates/template-choices.tsx'
import type { Template } from '#shared/templates/api.ts'

interface TemplateStepProps {
  readonly template: Template | undefined
  /** The template under the pointer or the focus, before one is chosen. */
  onHighlight(template: Template | undefined): void
  onChoose(template: Template): void
  /** Discards the chosen template. */
  onOther(): void
}

/** The first step: which template. */
export function TemplateStep({ template, onHighlight, onChoose, onOther }: TemplateStepProps) {
  const { t } = useTranslation('bulk-sends')
  if (!template)
    return <TemplateChoices isFirstField={false} canSend={() => true} onHighlight={onHighlight} onChoose={onChoose} />
  return (
    <>
      <p className="line bulk-chosen">
        <strong className="grow cut" dir="auto">
          {template.name}
        </strong>
        <button type="button" className="button" onClick={onOther}>
          {t('step.otherTemplate')}
        </button>
      </p>
      <p className="bulk-text">
        <BodySnippet template={template} />
      </p>
    </>
  )
}
