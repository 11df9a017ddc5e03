import { useAnswer, useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import './page.css'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs } from 'react-router'
import { start } from '#client/app/queries/queries.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan, rolesWith } from '#shared/kernel/permissions.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { maxTaggedCounted, type Tag } from '#shared/tags/api.ts'
import { refreshTags, tagCountsQuery, tagsQuery } from './queries.ts'

/** A tag: its colour as a dot, and its label. */
const TagChip = ({ label, hue }: Pick<Tag, 'label' | 'hue'>) => (
  <span className={`tag tag-box hue-${hue}`} dir="auto">
    {label}
  </span>
)

const TagDialog = lazyDialog(() => import('./tag-dialog.tsx'))
const RemoveTagDialog = lazyDialog(() => import('./remove-dialog.tsx'))
const MergeTagDialog = lazyDialog(() => import('./merge-dialog.tsx'))

export const loader = (args: LoaderFunctionArgs) => start(args, tagsQuery(args.params.org ?? ''))

type Open = { readonly dialog: 'create' } | { readonly dialog: 'edit' | 'merge' | 'remove'; readonly tag: Tag }

interface RowProps {
  readonly tag: Tag
  readonly contacts: number | undefined
  /** Absent: read-only. */
  readonly onOpen: ((open: Open) => void) | undefined
}

const TagRow = ({ tag, contacts, onOpen }: RowProps) => {
  const { t } = useTranslation('tags')
  const { slug } = useOrg()
  const counted =
    contacts === undefined
      ? ''
      : contacts >= maxTaggedCounted
        ? t('contactsMany', { count: maxTaggedCounted })
        : t('contactCount', { count: contacts })
  return (
    <li className="tag-row stack-l">
      <TagChip {...tag} />
      <Link className="tag-row-chats line small" to={`${paths.chats(slug)}?tag=${encodeURIComponent(tag.id)}`}>
        {counted || t('seeChats')}
      </Link>
      {onOpen ? (
        <RowMenu
          label={t('actionsOf', { label: tag.label })}
          items={() => (
            <>
              <MenuItem onClick={() => onOpen({ dialog: 'edit', tag })}>{t('edit')}</MenuItem>
              <MenuItem onClick={() => onOpen({ dialog: 'merge', tag })}>{t('merge')}</MenuItem>
              <MenuItem danger onClick={() => onOpen({ dialog: 'remove', tag })}>
                {t('remove')}
              </MenuItem>
            </>
          )}
        />
      ) : null}
    </li>
  )
}

const TagList = ({ onOpen }: { onOpen: ((open: Open) => void) | undefined }) => {
  const { t } = useTranslation('tags')
  const { slug } = useOrg()
  const { items } = useAnswer(tagsQuery(slug))
  // Counts are loaded later; the list does not wait for them.
  const counts = useOptionalAnswer({ ...tagCountsQuery(slug), enabled: onOpen !== undefined })
  const byTag = new Map(counts?.items.map(one => [one.tagId, one.contacts]))
  if (!items.length) return <Empty icon="tag" says={t(onOpen ? 'none' : 'noneYet')} />
  return (
    <ul className="tag-rows">
      {items.map(tag => (
        <TagRow key={tag.id} tag={tag} contacts={byTag.get(tag.id)} onOpen={onOpen} />
      ))}
    </ul>
  )
}

const TagListSkeleton = ({ label }: { label: string }) => (
  <div className="tag-rows" role="status" aria-label={label}>
    {['a', 'b', 'c'].map(key => (
      <div className="tag-row stack-l" key={key}>
        <span className="skeleton tag-skeleton" />
      </div>
    ))}
  </div>
)

/**
 * `/org/{slug}/settings/tags`: the organization's tags. People who answer may create them; people who manage members
 * may change them.
 */
export default function TagsPage() {
  const { t, i18n } = useTranslation('tags')
  const { t: shell } = useTranslation('shell')
  const { slug, role: stored } = useOrg()
  const role = effectiveRole(stored)
  const client = useQueryClient()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const manages = roleCan(role, 'member:manage')
  const refresh = () => void refreshTags(client, slug)
  useEvents({ tags: refresh }, refresh)
  const managers = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(
    rolesWith('member:manage').map(one => shell(`role.${one}`)),
  )
  return (
    <section className="card">
      <title>{`${t('title')} · ${PRODUCT_NAME}`}</title>
      <div className="card-head tag-head">
        <h2>{t('title')}</h2>
        {roleCan(role, 'chat:reply') ? (
          <button type="button" className="button" onClick={() => setOpen({ dialog: 'create' })}>
            <Icon name="plus" />
            {t('create')}
          </button>
        ) : null}
      </div>
      <p>{manages ? t('says') : `${t('says')} ${t('readOnly', { roles: managers })}`}</p>
      <Suspense fallback={<TagListSkeleton label={t('loading')} />}>
        <TagList onOpen={manages ? setOpen : undefined} />
      </Suspense>
      {open?.dialog === 'create' ? <TagDialog onClose={close} /> : null}
      {open?.dialog === 'edit' ? <TagDialog tag={open.tag} onClose={close} /> : null}
      {open?.dialog === 'merge' ? <MergeTagDialog tag={open.tag} onClose={close} /> : null}
      {open?.dialog === 'remove' ? <RemoveTagDialog tag={open.tag} onClose={close} /> : null}
    </section>
  )
}
