import { useTranslation } from 'react-i18next'
import { isApiError } from '#client/app/calls/api-error.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { Fault } from '#client/ui/controls/field.tsx'

const stepOf = (field: string): 'template' | 'audience' | 'values' | 'plan' => {
  const [, part = ''] = field.split('.')
  return part === 'template' || part === 'audience' || part === 'values' ? part : 'plan'
}

/** Why a plan or send was refused, and in which step. */
export function RequestFault({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('bulk-sends')
  const failureText = useFailureText()
  const details = isApiError(error) ? error.details : []
  const hasTooMany = details.some(
    ({ field, code }) => code === 'maxItems' && (field === 'body.audience' || field === 'body.audience.csv.text'),
  )
  if (hasTooMany) return <Fault>{t('blocked.tooManyPeople')}</Fault>
  return (
    <Fault>
      {[failureText(error), ...details.map(({ field, message }) => `${t(`step.${stepOf(field)}`)}: ${message}`)].join(
        ' ',
      )}
    </Fault>
  )
}
