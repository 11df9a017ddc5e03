import { wabaQuery } from '#client/shell/org-queries.ts'
import './next-steps.css'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useKnownAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'

/** The next steps while no number is connected or nobody has written yet. */
export function NextSteps() {
  const { t } = useTranslation('inbox')
  const { slug, role: stored } = useOrg()
  const role = effectiveRole(stored)
  const waba = useKnownAnswer(wabaQuery(slug))
  if (!waba) return null
  const hasNumber = Boolean(waba.phone)
  const connects = `${paths.companyCreation()}?org=${encodeURIComponent(slug)}`
  const steps = [
    !hasNumber && roleCan(role, 'connection:manage') && (['connect', 'plug', connects] as const),
    waba.kind === 'sandbox' && roleCan(role, 'sandbox:use') && (['simulator', 'phone', paths.simulator(slug)] as const),
    roleCan(role, 'member:manage') && (['team', 'person', paths.invite(slug)] as const),
    roleCan(role, 'chat:reply') && (['answers', 'slash', paths.settingsOf(slug, 'answers')] as const),
  ].filter(step => step !== false)
  return (
    <div className="next-steps">
      <h2>{t(hasNumber ? 'next.title' : 'next.noNumber')}</h2>
      <p>{hasNumber ? t('next.text', { number: waba.displayPhone || waba.phone }) : t('next.noNumberText')}</p>
      <ul>
        {steps.map(([name, icon, to]) => (
          <li key={name}>
            <Link to={to}>
              <Icon name={icon} />
              <span>
                {t(`next.${name}`)}
                <small>{t(`next.${name}Why`)}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
