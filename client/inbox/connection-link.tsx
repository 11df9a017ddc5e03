import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { queryFor } from '#client/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { useAnswer } from '#client/use-answer.ts'
import { paths } from '#shared/paths.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'

/** Where the number is connected or mended, for whoever may; nothing while it works. */
export function ConnectionLink() {
  const { t } = useTranslation('inbox')
  const { slug, role } = useOrg()
  const waba = useAnswer(queryFor(slug, 'numbers.getWaba', {}))
  const isBroken = [waba, ...(waba.numbers ?? [])].some(({ status }) => status !== 'connected')
  if (!isBroken || !roleCan(effectiveRole(role), 'connection:manage')) return null
  return (
    <Link className="link" to={paths.integrations(slug)}>
      {t('composer.mend')}
    </Link>
  )
}
