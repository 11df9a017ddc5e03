import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { When } from '#client/templates/words.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { BulkDraft } from '#shared/bulk-sends/drafts.ts'
import { sendFigures } from '#shared/bulk-sends/states.ts'
import { paths } from '#shared/kernel/paths.ts'
import { DeleteDraft } from './delete-draft.tsx'

/** A draft in the table of sends, to continue or delete. */
export function DraftRow({ draft }: { draft: BulkDraft }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const name = draft.name ?? draft.template?.name ?? t('draft.untitled')
  const missing = [
    ...(draft.template ? [] : [t('draft.noTemplate')]),
    ...(draft.hasAudience ? [] : [t('draft.nobody')]),
  ]
  const whom = draft.audience.map(one => t(`draft.by.${one}`))
  return (
    <tr>
      <th scope="row" className="bulk-name">
        <Link className="row-link" to={paths.bulkDraft(slug, draft.id)} dir="auto">
          {name}
        </Link>
        {draft.name && draft.template ? (
          <small className="cut" dir="auto">
            {draft.template.name}
          </small>
        ) : null}
      </th>
      <td className="bulk-state">
        <span className="chip chip-draft">
          <Icon name="pencil" />
          {t('draft.chip')}
        </span>
        <small>{missing.length ? missing.join(' · ') : t('draft.begun')}</small>
      </td>
      <td className="bulk-whom">
        <div className="cut">{whom.join(' · ')}</div>
      </td>
      {sendFigures.map(figure => (
        <td key={figure} className="bulk-figure bulk-no-figure" data-figure={figure}>
          –
        </td>
      ))}
      <td className="bulk-date">
        <When at={draft.savedAt} />
        <small className="cut" dir="auto">
          {draft.savedBy}
        </small>
      </td>
      <td className="bulk-actions">
        <RowMenu
          label={t('actionsOf', { name })}
          items={() => (
            <>
              <MenuItem onClick={() => void navigate(paths.bulkDraft(slug, draft.id))}>{t('draft.continue')}</MenuItem>
              <MenuItem danger onClick={() => setDeleting(true)}>
                {t('draft.delete')}
              </MenuItem>
            </>
          )}
        />
        {isDeleting ? <DeleteDraft id={draft.id} onClose={() => setDeleting(false)} /> : null}
      </td>
    </tr>
  )
}
