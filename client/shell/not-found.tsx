import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { data, Link, useParams } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { paths } from '#shared/kernel/paths.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { findOrg, viewerQuery } from './viewer.ts'

/** Loader of unknown addresses: status 404, with the page below. */
export const notFoundLoader = () => {
  throw data(null, { status: 404 })
}

/** Says that the address does not exist, with a link back. */
export function NotFound() {
  const { t } = useTranslation('shell')
  const viewer = useQueryClient().getQueryData(viewerQuery.queryKey)
  const { org: wanted } = useParams()
  const { now } = useFacts()
  const org = viewer && findOrg(viewer, wanted)
  return (
    <main className="plain-page">
      <title>{`${t('notFound.title')} · ${PRODUCT_NAME}`}</title>
      <p className="plain-figure" aria-hidden="true">
        404
      </p>
      <h1>{t('notFound.title')}</h1>
      <p>{t('notFound.text')}</p>
      <Link className="button button-primary" to={org ? paths.chats(org.slug) : paths.home()}>
        {t('notFound.home')}
      </Link>
      <footer className="plain-footer">
        © {new Date(now).getUTCFullYear()} {PRODUCT_NAME}
      </footer>
    </main>
  )
}
