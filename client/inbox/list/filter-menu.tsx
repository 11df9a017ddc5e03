import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TagPicker } from '#client/tags/tag-picker.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Popover } from '#client/ui/overlays/popover.tsx'
import { shortCount } from '#client/ui/text/short-count.ts'
import type { ListPartCounts } from '#shared/inbox/conversations.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { ViewFilter } from '#shared/saved-views/api.ts'
import type { ListFilter, Switch } from './list-filter.ts'
import { viewFilter } from './views/view-filter.ts'
import { ViewActs, ViewList } from './views/view-list.tsx'

const ViewsDialog = lazyDialog(() => import('./views/views-dialog.tsx'))
const SaveViewDialog = lazyDialog(() => import('./views/save-view-dialog.tsx'))

interface FilterMenuProps {
  readonly org: string
  /** The element at which it opens, and to which focus returns. */
  readonly anchor: HTMLElement
  readonly filter: ListFilter
  /** Absent until the counts are loaded. */
  readonly parts: ListPartCounts | undefined
  onView(view: ViewFilter): void
  onSwitch(name: Switch, isOn: boolean): void
  onTag(id: string, isOn: boolean): void
  onClose(): void
}

/** Further filters of the list. Changes apply at once. */
export default function FilterMenu({ org, anchor, filter, parts, onView, onSwitch, onTag, onClose }: FilterMenuProps) {
  const { t, i18n } = useTranslation('inbox')
  // Shown until the address has changed.
  const [turned, setTurned] = useState<Partial<Record<Switch, boolean>>>({})
  const [dialog, setDialog] = useState<'save' | 'manage'>()
  const leave = () => {
    onClose()
    // The pressed button disappears with the menu.
    anchor.focus()
  }
  const turnOf = (name: 'archived' | 'failed' | 'metaAgent' | 'waiting') => (
    <label key={name}>
      <input
        type="checkbox"
        checked={turned[name] ?? filter[name] ?? false}
        onChange={({ target: { checked } }) => {
          setTurned(before => ({ ...before, [name]: checked }))
          onSwitch(name, checked)
        }}
      />
      <span>{t(`filter.${name}`)}</span>
      {parts?.[name].count ? (
        <span className="list-count push">
          {shortCount(parts[name].count, i18n.language as Language, parts[name].more)}
        </span>
      ) : null}
    </label>
  )
  if (dialog === 'save') return <SaveViewDialog org={org} filter={viewFilter(filter)} onClose={leave} />
  if (dialog === 'manage') return <ViewsDialog org={org} onClose={leave} />
  return (
    <Popover label={t('filter.more')} anchor={anchor} place="below-end" className="picker" onClose={onClose}>
      <ViewList
        org={org}
        onPick={view => {
          onView(view)
          onClose()
        }}
      />
      <fieldset className="filter-switches">
        <legend className="sr-only">{t('filter.more')}</legend>
        {(['archived', 'failed', 'metaAgent'] as const).map(turnOf)}
      </fieldset>
      <fieldset className="filter-switches">
        <legend className="small">{t('filter.order')}</legend>
        {turnOf('waiting')}
      </fieldset>
      <TagPicker
        org={org}
        label={t('filter.tags')}
        search={t('filter.findTag')}
        chosen={new Set(filter.tags)}
        mayCreate={false}
        onChange={(tag, isOn) => onTag(tag.id, isOn)}
        onLeave={onClose}
      />
      <ViewActs org={org} filter={filter} onSave={() => setDialog('save')} onManage={() => setDialog('manage')} />
    </Popover>
  )
}
