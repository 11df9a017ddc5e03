import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { effectiveRole, roleCan, rolesWith } from '#shared/kernel/permissions.ts'
import { grantedTagsQuery } from './queries.ts'

/** Tags whose contacts the viewer may send to. Null: everybody. */
export function useGrantedTags(): ReadonlySet<string> | null {
  const { slug, role } = useOrg()
  const client = useQueryClient()
  const { queryKey } = grantedTagsQuery(slug)
  const { items } = useAnswer(grantedTagsQuery(slug))
  const changed = () => void client.invalidateQueries({ queryKey })
  useEvents({ contentAccess: changed, tags: changed }, changed)
  return roleCan(effectiveRole(role), 'member:manage') ? null : new Set(items.map(({ id }) => id))
}

/** Says that the viewer's role may send to nobody, and who can change that. Nothing if it may. */
export function NoTags() {
  const { t, i18n } = useTranslation('bulk-sends')
  const { t: shell } = useTranslation('shell')
  const granted = useGrantedTags()
  if (granted === null || granted.size) return null
  const roles = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(
    rolesWith('member:manage').map(role => shell(`role.${role}`)),
  )
  return (
    <div className="notice notice-warn" role="note">
      <Icon name="warn" />
      <p>
        <strong>{t('noTags.title')}</strong> {t('noTags.says', { roles })}
      </p>
    </div>
  )
}
