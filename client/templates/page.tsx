import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '#shared/paths.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'
import { PRODUCT_NAME } from '#shared/product.ts'
import { queryFor } from '../queries.ts'
import { useOrg } from '../shell/viewer.ts'
import { Icon } from '../ui/icon.tsx'

/** `/org/{slug}/template`: what the organization has of templates here, which is none yet. @see spec §2 */
export default function TemplatesPage() {
  const { t } = useTranslation('templates')
  const { slug, role } = useOrg()
  const { data: waba } = useSuspenseQuery(queryFor(slug, 'numbers.getWaba', {}))
  const known = effectiveRole(role)
  return (
    <main className="sheet">
      <title>{`${t('title')} · ${PRODUCT_NAME}`}</title>
      <div className="sheet-head">
        <h1>{t('title')}</h1>
        <p>{t('text')}</p>
      </div>
      <section className="card sheet-empty">
        <p>
          <strong>{t('none')}</strong>
        </p>
        <p>
          {waba.phone === null
            ? t('noNumber')
            : waba.kind === 'sandbox'
              ? t('sandbox', { number: waba.displayPhone })
              : t('number', { number: waba.displayPhone })}
        </p>
        <div className="card-buttons">
          {waba.phone === null && roleCan(known, 'connection:manage') ? (
            <Link className="button button-primary" to={`${paths.companyCreation()}?org=${slug}`}>
              <Icon name="plug" />
              {t('connect')}
            </Link>
          ) : null}
          {waba.phone !== null && roleCan(known, 'template:edit') ? (
            <Link className="button button-primary" to={paths.templateCreate(slug)}>
              <Icon name="plus" />
              {t('create')}
            </Link>
          ) : null}
          <Link className="button" to={paths.chats(slug)}>
            {t('toChats')}
          </Link>
        </div>
      </section>
    </main>
  )
}
