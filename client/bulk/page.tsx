import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '#shared/paths.ts'
import { PRODUCT_NAME } from '#shared/product.ts'
import { useOrg } from '../shell/viewer.ts'

/** `/org/{slug}/c/masive`: what a message to many needs, and what of it is missing here. @see spec §2 */
export default function BulkPage() {
  const { t } = useTranslation('bulk')
  const { slug } = useOrg()
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
        <p>{t('why')}</p>
        <div className="card-buttons">
          <Link className="button button-primary" to={paths.templates(slug)}>
            {t('toTemplates')}
          </Link>
          <Link className="button" to={paths.chats(slug)}>
            {t('toChats')}
          </Link>
        </div>
      </section>
    </main>
  )
}
