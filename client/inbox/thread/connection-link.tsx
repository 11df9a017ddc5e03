import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'

/** A link to connect or fix the number, for people who may. Nothing while it works. */
export function ConnectionLink() {
  const { t } = useTranslation('inbox')
  const { slug, role } = useOrg()
  const waba = useAnswer(wabaQuery(slug))
  const isBroken = [waba, ...(waba.numbers ?? [])].some(({ status }) => status !== 'connected')
  if (!isBroken || !roleCan(effectiveRole(role), 'connection:manage')) return null
  return (
    <Link className="link" to={paths.integrations(slug)}>
      {t('composer.mend')}
    </Link>
  )
}
