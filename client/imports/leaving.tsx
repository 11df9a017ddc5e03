import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'

/** The other direction: where chats, contacts and everything else can be exported. */
export function Leaving() {
  const { t } = useTranslation('imports')
  const { slug, role } = useOrg()
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('leaving.title')}</h2>
      <p>{t('leaving.says')}</p>
      <div className="card-buttons">
        {roleCan(effectiveRole(role), 'data:export') ? (
          <Link className="button" to={`${paths.settingsOf(slug, 'data')}#export`}>
            {t('leaving.all')}
          </Link>
        ) : null}
        <Link className="button" to={paths.contacts(slug)}>
          {t('leaving.contacts')}
        </Link>
      </div>
    </section>
  )
}
