import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { paths } from '#shared/kernel/paths.ts'

/** Instructions for the installation's operator to enable Meta's dialog. */
export function FacebookHowTo() {
  const { t } = useTranslation('integrations')
  return (
    <details className="facebook-how">
      <summary className="link">{t('facebook.how')}</summary>
      <ol className="facebook-steps">
        {(['app', 'config', 'webhook', 'environment'] as const).map(step => (
          <li key={step}>{t(`facebook.howStep.${step}`)}</li>
        ))}
      </ol>
    </details>
  )
}

/** Connects a number without copying anything from Meta. */
export function FacebookCard() {
  const { t } = useTranslation('integrations')
  const { site } = useFacts()
  const { slug } = useOrg()
  return (
    <section className="card" aria-labelledby="facebook">
      <div className="card-head">
        <div>
          <h2 id="facebook">{t('facebook.title')}</h2>
          <p className="connection-why">{t(site.facebook ? 'facebook.text' : 'facebook.off')}</p>
        </div>
      </div>
      {site.facebook ? (
        <div className="card-buttons">
          <a className="button" href={paths.facebook(slug)}>
            {t('facebook.title')}
          </a>
        </div>
      ) : (
        <FacebookHowTo />
      )}
    </section>
  )
}
