import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '#client/app/queries/use-paged-list.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { earlierQuery } from './queries.ts'

const EarlierDialog = lazyDialog(() => import('./earlier-dialog.tsx'))

/** Says that an earlier account has templates that this one lacks, and offers to copy them. */
export function EarlierNotice() {
  const { t } = useTranslation('templates')
  const { slug } = useOrg()
  const [isOpen, setOpen] = useState(false)
  const { data } = usePages(earlierQuery(slug))
  if (!isOpen && !data?.pages[0]?.items.length) return null
  return (
    <div className="notice notice-good template-earlier">
      <p>{t('earlier.says')}</p>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {t('earlier.open')}
      </button>
      {isOpen ? <EarlierDialog onClose={() => setOpen(false)} /> : null}
    </div>
  )
}
