import { useTranslation } from 'react-i18next'
import { Field } from '#client/ui/controls/field.tsx'

/** Asks a person whose account has no name for one. */
export function PersonNameField({ value, onChange }: { readonly value: string; onChange(name: string): void }) {
  const { t } = useTranslation('orgs')
  return (
    <Field
      label={t('create.person')}
      hint={t('create.personHint')}
      name="person"
      autoComplete="name"
      maxLength={80}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
