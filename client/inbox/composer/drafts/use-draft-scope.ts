import { useFacts } from '#client/app/facts.ts'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { outgoingScope } from '../outgoing.ts'

export const useDraftScope = (): string => outgoingScope(useOrg().slug, useViewer().user.id)

/** An impersonating administrator writes no drafts. */
export const useMayDraft = (): boolean => {
  const { role } = useOrg()
  return useFacts().actsAs === null && roleCan(effectiveRole(role), 'chat:reply')
}
