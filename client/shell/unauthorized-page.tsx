import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { paths } from '#shared/kernel/paths.ts'
import { type Capability, capabilities, rolesWith } from '#shared/kernel/permissions.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'

const isCapability = (value: string | null): value is Capability =>
  (capabilities as readonly (string | null)[]).includes(value)

/**
 * Shows the same page for a missing record and for another organization's. If the role is insufficient, says who can
 * change it.
 */
export default function UnauthorizedPage() {
  const { t, i18n } = useTranslation('shell')
  const [query] = useSearchParams()
  const need = query.get('need')
  const listOf = (capability: Capability) =>
    new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(
      rolesWith(capability).map(role => t(`role.${role}`)),
    )
  return (
    <main className="plain-page">
      <title>{`${t('unauthorized.title')} · ${PRODUCT_NAME}`}</title>
      <h1>{t('unauthorized.title')}</h1>
      <p>
        {isCapability(need)
          ? t('unauthorized.need', { roles: listOf(need), managers: listOf('member:manage') })
          : t('unauthorized.text')}
      </p>
      <Link className="button button-primary" to={paths.organizations()}>
        {t('unauthorized.organizations')}
      </Link>
      <Link className="button button-quiet" to={paths.home()}>
        {t('unauthorized.home')}
      </Link>
    </main>
  )
}
