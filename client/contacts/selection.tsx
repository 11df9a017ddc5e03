import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useOptionalAnswer } from '#client/app/use-answer.ts'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { contactFieldsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ListedContact } from '#shared/contacts/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import type { Tag } from '#shared/tags/api.ts'
import { ExportMenu } from './export-menu.tsx'

const TagMenu = lazyDialog(() => import('#client/tags/tag-menu.tsx'))
const FieldDialog = lazyDialog(() => import('./field-dialog.tsx'))

interface SelectionProps {
  readonly picked: readonly ListedContact[]
  onChanged(): Promise<unknown>
  onClear(): void
}

/** Changes the selected contacts, and says in a toast what became of it. */
function useChanges(picked: readonly ListedContact[], onChanged: () => Promise<unknown>) {
  const { t } = useTranslation('contacts')
  const api = useApi()
  const failureText = useFailureText()
  const run = async (work: () => Promise<string>) => {
    try {
      toast(await work(), { kind: 'success' })
    } catch (error) {
      toast(failureText(error), { kind: 'error' })
    }
    await onChanged()
  }
  return {
    tag: ({ id, label }: Tag, isOn: boolean) =>
      run(async () => {
        const ids = picked.map(({ conversation }) => conversation.id)
        const { items } = await api.inbox.changeChats({ body: { ids, ...(isOn ? { tagId: id } : { untagId: id }) } })
        return t(isOn ? 'select.tagged' : 'select.untagged', { tag: label, count: items.length })
      }),
    optOut: (optedOut: boolean) =>
      run(async () => {
        const { changed, kept } = await api.contacts.changeContacts({
          body: { ids: picked.map(({ id }) => id), optedOut },
        })
        const said = t(optedOut ? 'select.optedOut' : 'select.optedIn', { count: changed })
        return kept.length ? `${said} ${t('select.kept', { count: kept.length })}` : said
      }),
  }
}

/** Says who of the selected contacts a bulk send of marketing would leave out. */
function LeftOut({ picked, reached }: Pick<SelectionProps, 'picked'> & { reached: number }) {
  const { t } = useTranslation('contacts')
  const out = picked.filter(({ conversation }) => conversation.optOut)
  const [first] = out
  if (!first) return null
  return (
    <p className="fine">
      {out.length === 1
        ? t('select.leavesOutOne', { name: first.conversation.name, count: reached })
        : t('select.leavesOut', { out: out.length, count: reached })}
    </p>
  )
}

/** A bar with actions on the selected contacts. */
export function Selection({ picked, onChanged, onClear }: SelectionProps) {
  const { t } = useTranslation('contacts')
  const { slug, role } = useOrg()
  const tagButton = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<'tags' | 'field'>()
  const change = useChanges(picked, onChanged)
  const hasFields = Boolean(useOptionalAnswer(contactFieldsQuery(slug))?.items.length)
  const may = effectiveRole(role)
  const tagsOfAll = (picked[0]?.conversation.tags ?? []).filter(({ id }) =>
    picked.every(({ conversation }) => conversation.tags.some(tag => tag.id === id)),
  )
  const ids = picked.map(({ id }) => id)
  const dialled = picked.filter(({ conversation }) => conversation.displayPhone)
  const canSend = roleCan(may, 'bulk:send') && dialled.length > 0
  return (
    <div className="contact-selection" role="toolbar" aria-label={t('select.label')}>
      <div className="contact-selection-acts wrap">
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
          label={t('marketing')}
          className="button"
          side="above-start"
          button={
            <>
              <Icon name="bellOff" />
              {t('marketing')}
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
        {canSend ? (
          <Link
            className="button button-primary contact-selection-send"
            to={paths.bulkTo(
              slug,
              dialled.map(({ conversation }) => conversation.phone),
            )}
          >
            <Icon name="send" />
            {t('select.send')}
          </Link>
        ) : null}
      </div>
      {canSend ? (
        <LeftOut picked={picked} reached={dialled.filter(({ conversation }) => !conversation.optOut).length} />
      ) : null}
      {open === 'tags' && tagButton.current ? (
        <TagMenu
          org={slug}
          anchor={tagButton.current}
          chosen={tagsOfAll}
          canManage={roleCan(may, 'org:update')}
          onChange={(one, isOn) => void change.tag(one, isOn)}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
      {open === 'field' ? (
        <FieldDialog
          ids={ids}
          onSaved={async changed => {
            toast(t('field.saved', { count: changed }), { kind: 'success' })
            await onChanged()
          }}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
    </div>
  )
}
