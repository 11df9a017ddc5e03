import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ListedContact } from '#shared/contacts/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import type { Tag } from '#shared/tags/api.ts'

const TagMenu = lazyDialog(() => import('#client/tags/tag-menu.tsx'))

interface SelectionProps {
  readonly picked: readonly ListedContact[]
  onChanged(): Promise<unknown>
  onClear(): void
}

/** Actions on the selected contacts: tags, and a bulk send to them. */
export function Selection({ picked, onChanged, onClear }: SelectionProps) {
  const { t } = useTranslation('contacts')
  const { slug, role } = useOrg()
  const api = useApi()
  const failureText = useFailureText()
  const tagButton = useRef<HTMLButtonElement>(null)
  const [isTagging, setTagging] = useState(false)
  const may = effectiveRole(role)
  const tagsOfAll = (picked[0]?.conversation.tags ?? []).filter(({ id }) =>
    picked.every(({ conversation }) => conversation.tags.some(tag => tag.id === id)),
  )
  const tag = async ({ id, label }: Tag, isOn: boolean) => {
    const ids = picked.map(({ conversation }) => conversation.id)
    try {
      const { items } = await api.inbox.changeChats({ body: { ids, ...(isOn ? { tagId: id } : { untagId: id }) } })
      toast(t(isOn ? 'select.tagged' : 'select.untagged', { tag: label, count: items.length }), { kind: 'success' })
    } catch (error) {
      toast(failureText(error), { kind: 'error' })
    }
    await onChanged()
  }
  const numbers = picked.flatMap(({ conversation: { phone, displayPhone } }) => (displayPhone ? [phone] : []))
  return (
    <div className="contact-selection wrap" role="toolbar" aria-label={t('select.label')}>
      <strong role="status">{t('select.count', { count: picked.length })}</strong>
      <button
        ref={tagButton}
        type="button"
        className="button"
        aria-haspopup="dialog"
        aria-expanded={isTagging}
        onClick={() => setTagging(true)}
      >
        <Icon name="tag" />
        {t('select.tags')}
      </button>
      {roleCan(may, 'bulk:send') && numbers.length ? (
        <Link className="button" to={paths.bulkTo(slug, numbers)}>
          <Icon name="send" />
          {t('select.send')}
        </Link>
      ) : null}
      <button type="button" className="button" onClick={onClear}>
        {t('select.clear')}
      </button>
      {isTagging && tagButton.current ? (
        <TagMenu
          org={slug}
          anchor={tagButton.current}
          chosen={tagsOfAll}
          canManage={roleCan(may, 'org:update')}
          onChange={(one, isOn) => void tag(one, isOn)}
          onClose={() => setTagging(false)}
        />
      ) : null}
    </div>
  )
}
