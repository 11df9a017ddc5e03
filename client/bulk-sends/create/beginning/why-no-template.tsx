import { useTranslation } from 'react-i18next'
import { useReasonText } from '#client/templates/reasons.tsx'
import type { Template } from '#shared/templates/api.ts'
import { verdictOf } from '#shared/templates/words.ts'

interface WhyNoTemplateProps {
  /** Undefined: it was deleted. */
  readonly template: Template | undefined
  /** The text for a template that is not paused. */
  readonly otherwise: string
}

/** Why a send does not begin with its template: of a paused one, when it is back. */
export function WhyNoTemplate({ template, otherwise }: WhyNoTemplateProps) {
  const { t } = useTranslation('templates')
  const reasonText = useReasonText()
  if (!template || verdictOf(template.status) !== 'paused') return otherwise
  return (
    <>
      <bdi>{template.name}</bdi>: {t('says.PAUSED')} {reasonText(template)}.
    </>
  )
}
