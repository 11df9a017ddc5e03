import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { BulkDraft } from '#shared/bulk-sends/drafts.ts'
import { paths } from '#shared/kernel/paths.ts'
import { useOrg } from '../shell/viewer.ts'
import { When } from '../templates/words.tsx'
import { DeleteDraft } from './delete-draft.tsx'

/** A draft in the list, to continue or delete. */
export function DraftRow({ draft }: { draft: BulkDraft }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const [isDeleting, setDeleting] = useState(false)
  const name = draft.template?.name ?? t('draft.untitled')
  const missing = [
    ...(draft.template ? [] : [t('draft.noTemplate')]),
    ...(draft.hasAudience ? [] : [t('draft.nobody')]),
  ]
  const whom = draft.audience.map(one => t(`draft.by.${one}`))
  return (
    <li className="bulk-draft stack-s">
      <Link className="bulk-row box" to={paths.bulkDraft(slug, draft.id)}>
        <b className="cut" dir="auto">
          {name}
        </b>
        <span className="chip bulk-draft-chip">{t('draft.chip')}</span>
        <span className="bulk-result small">
          {missing.length ? missing.join(' · ') : whom.length ? whom.join(' · ') : t('draft.begun')}
        </span>
        <small>
          {draft.savedBy} · <When at={draft.savedAt} />
        </small>
      </Link>
      <button type="button" className="icon-button" onClick={() => setDeleting(true)}>
        <Icon name="trash" />
        <span className="sr-only">{t('draft.deleteOf', { name })}</span>
      </button>
      {isDeleting ? <DeleteDraft id={draft.id} onClose={() => setDeleting(false)} /> : null}
    </li>
  )
}
