import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, redirect } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { paths } from '#shared/kernel/paths.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { ProductScene } from './product-scene.tsx'
import { PublicFrame } from './public-frame.tsx'
import { loadViewer, viewerHome } from './viewer.ts'

/** Signed-in people are sent to their start page. */
export const loader = async (args: LoaderFunctionArgs) => {
  const viewer = await loadViewer(args)
  if (viewer) throw redirect(viewerHome(viewer, args))
  return null
}

/** Introduces the product to visitors who are not signed in. On an empty installation, shows how to begin. */
export default function HomePage() {
  const { t } = useTranslation('auth')
  const { site } = useFacts()
  return (
    <PublicFrame title={PRODUCT_NAME} beside={<ProductScene />}>
      <div className="stack">
        <div>
          <h1>{site.empty ? t('home.firstTitle') : t('home.title')}</h1>
          <p className="lead">{site.empty ? t('home.firstText') : t('home.text')}</p>
        </div>
        {site.empty ? (
          <ol className="steps">
            <li>{t('home.stepSignIn')}</li>
            <li>{t('home.stepOrganization')}</li>
            <li>{site.sandbox ? t('home.stepWhatsAppOrSandbox') : t('home.stepWhatsApp')}</li>
          </ol>
        ) : null}
        <Link className="button button-primary button-wide" to={paths.login()}>
          {site.empty ? t('home.begin') : t('home.signIn')}
        </Link>
      </div>
    </PublicFrame>
  )
}
