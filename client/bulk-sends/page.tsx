import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '#shared/paths.ts'
import { useOrg } from '../shell/viewer.ts'
import { Empty } from '../ui/empty.tsx'
import { SheetHead } from '../ui/sheet-head.tsx'

/** `/org/{slug}/c/masive`: what a message to many needs, and what of it is missing here. */
export default function BulkPage() {
  const { t } = useTranslation('bulk')
  const { slug } = useOrg()
  return (
    <main className="sheet">
      <SheetHead title={t('title')}>{t('text')}</SheetHead>
      <Empty
        icon="send"
        says={t('none')}
        action={
          <Link className="button button-primary" to={paths.templates(slug)}>
            {t('toTemplates')}
          </Link>
        }
      >
        <p>{t('why')}</p>
      </Empty>
    </main>
  )
}
