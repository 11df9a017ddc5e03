import { useId } from 'react'
import type { OrgTeam } from '#shared/orgs/members.ts'

interface TeamFieldProps {
  readonly label: string
  /** The text of no team. */
  readonly none: string
  readonly teams: readonly Pick<OrgTeam, 'id' | 'name'>[]
  readonly value: string
  onChoose(id: string): void
}

/** A team of the organization, or none. Absent where there are no teams. */
export function TeamField({ label, none, teams, value, onChoose }: TeamFieldProps) {
  const fieldId = useId()
  if (!teams.length) return null
  return (
    <div className="field">
      <label htmlFor={fieldId}>{label}</label>
      <select id={fieldId} value={value} onChange={({ target }) => onChoose(target.value)}>
        <option value="" dir="auto">
          {none}
        </option>
        {teams.map(({ id, name }) => (
          <option key={id} value={id} dir="auto">
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
