import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Popover } from '#client/ui/overlays/popover.tsx'
import { paths } from '#shared/kernel/paths.ts'
import type { Tag } from '#shared/tags/api.ts'
import { TagPicker } from './tag-picker.tsx'

interface TagMenuProps {
  readonly org: string
  /** The element at which it opens, and to which focus returns. */
  readonly anchor: HTMLElement
  /** The contact's tags. */
  readonly chosen: readonly Tag[]
  readonly canManage: boolean
  onChange(tag: Tag, isOn: boolean): void
  onClose(): void
  /** Further facts about the contact. */
  readonly children?: ReactNode
}

/** Adds and removes a contact's tags. */
export default function TagMenu({ org, anchor, chosen, canManage, onChange, onClose, children }: TagMenuProps) {
  const { t } = useTranslation('tags')
  return (
    <Popover label={t('menu.label')} anchor={anchor} place="below-end" className="picker" onClose={onClose}>
      <TagPicker
        org={org}
        label={t('menu.label')}
        search={t('menu.search')}
        chosen={new Set(chosen.map(({ id }) => id))}
        mayCreate
        onChange={onChange}
        onLeave={onClose}
      />
      {children}
      {canManage ? (
        <Link className="picker-link" to={paths.settingsOf(org, 'tags')}>
          {t('menu.manage')}
        </Link>
      ) : null}
    </Popover>
  )
}
