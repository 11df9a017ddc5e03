import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, replace, useParams } from 'react-router'
import { settle } from '#client/app/queries/queries.ts'
import { SignOut } from '#client/shell/account/sign-out.tsx'
import { PublicFrame } from '#client/shell/public-frame.tsx'
import { findOrg, requireViewer, useViewer } from '#client/shell/viewer.ts'
import { paths } from '#shared/kernel/paths.ts'
import { passwordQuery } from '../account/account-queries.ts'
import { SecondFactorSetup } from './second-factor-setup.tsx'

/** Redirects people who need no setup. */
export const loader = async (args: LoaderFunctionArgs) => {
  const org = findOrg(await requireViewer(args), args.params.org)
  if (!org) throw replace(paths.unauthorized())
  if (!org.secondFactorDemanded) throw replace(paths.org(org.slug))
  await settle(args, passwordQuery)
  return null
}

/** Sets up the second factor that a member's organization requires. */
export default function SecondFactorSetupPage() {
  const { t } = useTranslation('settings')
  const { org: slug = '' } = useParams()
  const org = findOrg(useViewer(), slug)
  const enter = () => location.replace(paths.org(org?.slug ?? slug))
  return (
    <PublicFrame title={t('secondFactor.title')}>
      <div className="stack">
        <div>
          <h1>{t('secondFactor.setupFor', { organization: org?.name ?? slug })}</h1>
          <p className="lead">{t('secondFactor.setupForText')}</p>
        </div>
        <SecondFactorSetup replaces={false} onDone={enter} />
        <Link className="button button-wide" to={paths.organizations()}>
          {t('secondFactor.otherOrganizations')}
        </Link>
        <SignOut className="link" />
      </div>
    </PublicFrame>
  )
}
