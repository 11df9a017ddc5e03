import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { isolated } from '#shared/kernel/bidi.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { OrgSummary } from '#shared/orgs/api.ts'

/** Says that the organization demands single sign-on or a second factor first, with a link to it. */
export function Demand({ org }: { org: OrgSummary }) {
  const { t } = useTranslation('programs')
  const { pathname, search } = useLocation()
  const name = isolated(org.name)
  return (
    <div className="notice notice-warn program-demand" role="status">
      <p>{t(org.ssoMissing ? 'ssoFirst' : 'factorFirst', { org: name })}</p>
      <a
        className="link"
        href={org.ssoMissing ? paths.orgLogin(org.slug, pathname + search) : paths.secondFactorSetup(org.slug)}
      >
        {t(org.ssoMissing ? 'ssoGo' : 'factorGo')}
      </a>
    </div>
  )
}
