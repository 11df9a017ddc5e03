import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { contactFieldsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { PartsProgress } from '#client/ui/feedback/parts-progress.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { ExportMenu } from './export-menu.tsx'
import type { Picked } from './picked.ts'
import { SendTo } from './send-to.tsx'
import { type ChangesProps, useChanges } from './use-changes.ts'

const TagMenu = lazyDialog(() => import('#client/tags/tag-menu.tsx'))
const FieldDialog = lazyDialog(() => import('./field-dialog.tsx'))

interface SelectionProps extends ChangesProps {
  /** Adds contacts to the selection. */
  readonly more: ReactNode
  onClear(): void
}

/** Says who of the selected contacts a bulk send of marketing would leave out. */
function LeftOut({ picked, reached }: { picked: readonly Picked[]; reached: number }) {
  const { t } = useTranslation('contacts')
  const out = picked.filter(({ optedOut }) => optedOut)
  const [first] = out
  if (!first) return null
  return (
    <p className="fine">
      {out.length === 1 && first.name
        ? t('select.leavesOutOne', { name: first.name, count: reached })
        : t('select.leavesOut', { out: out.length, count: reached })}
    </p>
  )
}

/** A bar with actions on the selected contacts. */
export function Selection({ picked, parts, more, onChanged, onClear }: SelectionProps) {
  const { t } = useTranslation('contacts')
  const { slug, role } = useOrg()
  const tagButton = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<'tags' | 'field'>()
  const change = useChanges({ picked, parts, onChanged })
  const hasFields = Boolean(useOptionalAnswer(contactFieldsQuery(slug))?.items.length)
  const may = effectiveRole(role)
  const known = useOptionalAnswer(tagsQuery(slug))?.items ?? []
  const tagsOfAll = known.filter(({ id }) => picked.every(({ tagIds }) => tagIds.includes(id)))
  const ids = picked.map(({ id }) => id)
  const dialled = picked.filter(({ phone }) => phone)
  const canSend = roleCan(may, 'bulk:send') && dialled.length > 0
  return (
    <div className="contact-selection" role="toolbar" aria-label={t('select.label')}>
      <PartsProgress
        parts={parts}
        says={progress => `${t('select.progress', { ...progress })} ${t('select.stay')}`}
        stop={t('select.stop')}
      />
      <div className="contact-selection-acts wrap" inert={change.isBusy}>
        <div className="contact-selection-count line grow">
          <strong role="status">{t('select.count', { count: picked.length })}</strong>
          <button type="button" className="icon-button" data-tip={t('select.clear')} onClick={onClear}>
            <Icon name="close" />
            <span className="sr-only">{t('select.clear')}</span>
          </button>
        </div>
        <button
          ref={tagButton}
          type="button"
          className="button"
          aria-haspopup="dialog"
          aria-expanded={open === 'tags'}
          onClick={() => setOpen('tags')}
        >
          <Icon name="tag" />
          {t('select.tags')}
        </button>
        {hasFields ? (
          <button type="button" className="button" aria-haspopup="dialog" onClick={() => setOpen('field')}>
            <Icon name="pencil" />
            {t('field.open')}
          </button>
        ) : null}
        <Menu
          label={t('select.marketing')}
          className="button"
          side="above-start"
          button={
            <>
              <Icon name="bellOff" />
              {t('select.marketing')}
            </>
          }
        >
          {() => (
            <>
              <MenuItem onClick={() => void change.optOut(true)}>{t('optedOut')}</MenuItem>
              <MenuItem onClick={() => void change.optOut(false)}>{t('mayGet')}</MenuItem>
            </>
          )}
        </Menu>
        {roleCan(may, 'member:manage') ? <ExportMenu of={{ ids }} /> : null}
        {canSend ? <SendTo numbers={dialled.map(({ phone }) => phone)} /> : null}
      </div>
      <div className="contact-selection-more line wrap">
        {more}
        {canSend ? <LeftOut picked={picked} reached={dialled.filter(({ optedOut }) => !optedOut).length} /> : null}
      </div>
      {open === 'tags' && tagButton.current ? (
        <TagMenu
          org={slug}
          anchor={tagButton.current}
          chosen={tagsOfAll}
          canManage={roleCan(may, 'org:update')}
          onChange={(one, isOn) => {
            // Its button is not there while the change runs in parts.
            if (picked.length > parts.size) setOpen(undefined)
            void change.tag(one, isOn)
          }}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
      {open === 'field' ? (
        <FieldDialog count={picked.length} onSave={change.fill} onClose={() => setOpen(undefined)} />
      ) : null}
    </div>
  )
}
