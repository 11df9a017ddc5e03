import { isOrgRole } from '#shared/kernel/permissions.ts'

/** A role's quiet badge with a dot of its colour, grey for unknown roles. */
export const RoleChip = ({ role, label }: { role: string; label: string }) => (
  <span className={isOrgRole(role) ? `chip role-chip role-${role}` : 'chip role-chip'}>{label}</span>
)
