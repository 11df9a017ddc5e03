import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '#shared/paths.ts'
import { PRODUCT_NAME } from '#shared/product.ts'
import { useOrg } from '../shell/viewer.ts'

/** Meta's own place for templates. */
const managerUrl = 'https://business.facebook.com/wa/manage/message-templates/'

/** `/org/{slug}/template/create`: where a template is made, and what Meta will ask. */
export default function TemplateCreatePage() {
  const { t } = useTranslation('templates')
  const { slug } = useOrg()
  return (
    <main className="sheet">
      <title>{`${t('createTitle')} · ${PRODUCT_NAME}`}</title>
      <div className="sheet-head">
        <h1>{t('createTitle')}</h1>
        <p>{t('createText')}</p>
      </div>
      <section className="card">
        <h2>{t('rules')}</h2>
        <ol className="steps">
          <li>{t('ruleName')}</li>
          <li>{t('ruleBody')}</li>
          <li>{t('ruleExamples')}</li>
          <li>{t('ruleReview')}</li>
        </ol>
        <div className="card-buttons">
          <a className="button button-primary" href={managerUrl} target="_blank" rel="noreferrer">
            {t('openManager')}
          </a>
          <Link className="button" to={paths.templates(slug)}>
            {t('back')}
          </Link>
        </div>
      </section>
    </main>
  )
}
