import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { isOrgRole, type OrgRole } from '#shared/kernel/permissions.ts'

interface RoleFieldProps {
  readonly label: string
  readonly offered: readonly OrgRole[]
  readonly value: OrgRole
  onChoose(role: OrgRole): void
}

/** Selects one of the roles that may be given. */
export function RoleField({ label, offered, value, onChoose }: RoleFieldProps) {
  const { t } = useTranslation('shell')
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        required
        value={value}
        onChange={({ target }) => isOrgRole(target.value) && onChoose(target.value)}
      >
        {offered.map(role => (
          <option key={role} value={role}>
            {t(`role.${role}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
