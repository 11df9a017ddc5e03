import { useTranslation } from 'react-i18next'
import { Field } from '#client/ui/controls/field.tsx'

interface SecondCodeFieldProps {
  readonly value: string
  readonly fault: string | undefined
  onChange(value: string): void
}

/** Asks for a code of the app, or a backup code. */
export function SecondCodeField({ value, fault, onChange }: SecondCodeFieldProps) {
  const { t } = useTranslation('settings')
  return (
    <Field
      label={t('secondFactor.secondCode')}
      hint={t('secondFactor.secondCodeHint')}
      name="secondCode"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={20}
      required
      value={value}
      fault={fault}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
