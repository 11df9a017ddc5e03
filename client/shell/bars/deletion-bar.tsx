import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { fullTime } from '#shared/kernel/time.ts'
import { useOrg } from '../viewer.ts'

/** Warns on every page that the organization will be deleted, with a link for members who may cancel that. */
export default function DeletionBar({ deletesAt }: { deletesAt: string }) {
  const { t } = useTranslation('shell')
  const { language, timeZone } = useFacts()
  const { name, slug, role } = useOrg()
  return (
    <div className="away-bar" role="status">
      {t('deletion.says', { org: name, when: fullTime(deletesAt, language, timeZone) })}{' '}
      {roleCan(effectiveRole(role), 'org:delete') ? (
        <Link to={paths.settingsOf(slug, 'danger')}>{t('deletion.undo')}</Link>
      ) : null}
    </div>
  )
}
