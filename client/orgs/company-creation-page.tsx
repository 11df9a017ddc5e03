import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, replace, useSearchParams } from 'react-router'
import { settle } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { orgSettingsQuery, wabaQuery } from '#client/shell/org-queries.ts'
import { PublicFrame } from '#client/shell/public-frame.tsx'
import { findOrg, requireViewer, useViewer } from '#client/shell/viewer.ts'
import { paths } from '#shared/kernel/paths.ts'
import { isOrgRole, roleCan } from '#shared/kernel/permissions.ts'
import type { OrgSummary } from '#shared/orgs/api.ts'
import { CompanyStep } from './company-step.tsx'
import { ConnectStep } from './connect-step.tsx'
import { sentQuery } from './queries.ts'
import { TeamStep } from './team-step.tsx'
import './orgs.css'

const steps = ['company', 'number', 'team'] as const
type Step = (typeof steps)[number]

/** The requested step, or the first incomplete one. */
const stepOf = (wanted: string | null, hasNumber: boolean): Step =>
  steps.find(step => step === wanted) ?? (hasNumber ? 'team' : 'number')

/** `?org=` continues with an organization, for its owners and admins. */
export const loader = async (args: LoaderFunctionArgs) => {
  const viewer = await requireViewer(args)
  const wanted = new URL(args.request.url).searchParams.get('org') ?? undefined
  if (wanted === undefined) return null
  const org = findOrg(viewer, wanted)
  if (!org || !isOrgRole(org.role) || !roleCan(org.role, 'connection:manage')) throw replace(paths.unauthorized())
  await Promise.all(
    [wabaQuery(org.slug), orgSettingsQuery(org.slug), sentQuery(org.slug)].map(query => settle(args, query)),
  )
  return null
}

const stepHref = (org: OrgSummary, step: Step) => `${paths.companyCreation()}?org=${org.slug}&step=${step}`

function Stepper({ org, current }: { org: OrgSummary | undefined; current: Step }) {
  const { t } = useTranslation('orgs')
  return (
    <nav aria-label={t('create.steps')}>
      <ol className="stepper">
        {steps.map(step => (
          <li key={step} aria-current={step === current ? 'step' : undefined}>
            {org && step !== current ? (
              <Link to={stepHref(org, step)}>{t(`create.stepName.${step}`)}</Link>
            ) : (
              <span>{t(`create.stepName.${step}`)}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Later({
  org,
  wanted,
  goTo,
}: {
  org: OrgSummary
  wanted: string | null
  goTo(slug: string, step: Step): void
}) {
  const waba = useAnswer(wabaQuery(org.slug))
  const step = stepOf(wanted, waba.phone !== null)
  return (
    <>
      <Stepper org={org} current={step} />
      {step === 'team' ? (
        <TeamStep org={org} />
      ) : (
        <ConnectStep org={org} waba={waba} teamHref={stepHref(org, 'team')} onDone={() => goTo(org.slug, 'team')} />
      )}
    </>
  )
}

/**
 * Creates an organization in three steps: details, WhatsApp number, members. The state is on the server, so that a
 * person can continue later.
 */
export default function CompanyCreationPage() {
  const { t } = useTranslation('orgs')
  const [query, setQuery] = useSearchParams()
  const org = findOrg(useViewer(), query.get('org') ?? undefined)
  const wanted = query.get('step')
  const goTo = (slug: string, step: Step) => setQuery({ org: slug, step }, { replace: true })
  return (
    <PublicFrame title={t('create.title')}>
      {!org || wanted === 'company' ? (
        <>
          <Stepper org={org} current="company" />
          <CompanyStep
            org={org}
            onCreated={slug => goTo(slug, 'company')}
            onDone={slug => setQuery({ org: slug }, { replace: true })}
          />
        </>
      ) : (
        <Later org={org} wanted={wanted} goTo={goTo} />
      )}
    </PublicFrame>
  )
}
