import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { BulkSend } from '#shared/bulk-sends/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { useOrg } from '../shell/viewer.ts'

/** A test was for one person only, and of a send that is being prepared nobody knows yet who its people are. */
export const mayRepeat = ({ state, isTest }: Pick<BulkSend, 'state' | 'isTest'>): boolean =>
  !isTest && state !== 'preparing'

/** A new send that begins as this one did. */
export function RepeatLink({ id }: { id: string }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  return (
    <Link className="button bulk-change" to={paths.bulkRepeat(slug, id)}>
      <Icon name="retry" />
      {t('repeat.link')}
    </Link>
  )
}
