import { isOrgRole, type OrgRole } from '#shared/kernel/permissions.ts'

const roleChips: Readonly<Record<OrgRole, string>> = {
  owner: 'chip-orange',
  admin: 'chip-red',
  member: 'chip-blue',
  developer: 'chip-green',
  viewer: 'chip-violet',
  billing: 'chip-amber',
}

/** A role's badge, grey for unknown roles. */
export const RoleChip = ({ role, label }: { role: string; label: string }) => (
  <span className={`chip ${isOrgRole(role) ? roleChips[role] : ''}`}>{label}</span>
)
