import { useTranslation } from 'react-i18next'
import { Labelled } from '#client/ui/controls/field.tsx'
import type { OrgSummary } from '#shared/orgs/api.ts'

interface OrganizationChoiceProps {
  readonly organizations: readonly OrgSummary[]
  readonly chosen: OrgSummary | undefined
  onChoose(id: string): void
}

/** The organization that a program will act in; chosen where there are several. */
export function OrganizationChoice({ organizations, chosen, onChoose }: OrganizationChoiceProps) {
  const { t } = useTranslation('programs')
  if (!chosen)
    return (
      <p className="notice notice-warn" role="status">
        {t('noOrganization')}
      </p>
    )
  if (organizations.length === 1)
    return (
      <div className="field">
        <span className="program-label">{t('organization')}</span>
        <strong dir="auto">{chosen.name}</strong>
        <div className="field-hint">{t('organizationHint')}</div>
      </div>
    )
  return (
    <Labelled label={t('organization')} hint={t('organizationHint')}>
      {control => (
        <select {...control} value={chosen.id} onChange={({ target }) => onChoose(target.value)}>
          {organizations.map(({ id, name }) => (
            <option key={id} value={id} dir="auto">
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}
