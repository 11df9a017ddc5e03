import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '#shared/paths.ts'
import { type Capability, effectiveRole, roleCan } from '#shared/permissions.ts'
import { PRODUCT_NAME } from '#shared/product.ts'
import { queryFor } from '../queries.ts'
import { useOrg } from '../shell/viewer.ts'
import { Empty } from '../ui/empty.tsx'

/** What brings a template here, for whoever may; the others have their chats. */
function NextStep({ isConnected }: { isConnected: boolean }) {
  const { t } = useTranslation('templates')
  const { slug, role } = useOrg()
  const may = (capability: Capability) => roleCan(effectiveRole(role), capability)
  if (!isConnected && may('connection:manage'))
    return (
      <Link className="button button-primary" to={`${paths.companyCreation()}?org=${slug}`}>
        {t('connect')}
      </Link>
    )
  if (isConnected && may('template:edit'))
    return (
      <Link className="button button-primary" to={paths.templateCreate(slug)}>
        {t('create')}
      </Link>
    )
  return (
    <Link className="button" to={paths.chats(slug)}>
      {t('toChats')}
    </Link>
  )
}

/** `/org/{slug}/template`: what the organization has of templates here, which is none yet. */
export default function TemplatesPage() {
  const { t } = useTranslation('templates')
  const { slug } = useOrg()
  const { data: waba } = useSuspenseQuery(queryFor(slug, 'numbers.getWaba', {}))
  return (
    <main className="sheet">
      <title>{`${t('title')} · ${PRODUCT_NAME}`}</title>
      <div className="sheet-head">
        <h1>{t('title')}</h1>
        <p>{t('text')}</p>
      </div>
      <Empty icon="form" says={t('none')} action={<NextStep isConnected={waba.phone !== null} />}>
        <p>
          {waba.phone === null
            ? t('noNumber')
            : waba.kind === 'sandbox'
              ? t('sandbox', { number: waba.displayPhone })
              : t('number', { number: waba.displayPhone })}
        </p>
      </Empty>
    </main>
  )
}
