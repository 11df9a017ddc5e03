import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { paths } from '#shared/kernel/paths.ts'

/** A test had one recipient, and a send in preparation has none yet. */
export const mayRepeat = ({ state, isTest }: Pick<BulkSend, 'state' | 'isTest'>): boolean =>
  !isTest && state !== 'preparing'

/** Begins a new send like this one. */
export function RepeatLink({ id }: { id: string }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  return (
    <Link className="button bulk-change" to={paths.bulkRepeat(slug, id)}>
      <Icon name="copy" />
      {t('repeat.link')}
    </Link>
  )
}
