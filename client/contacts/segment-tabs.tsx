import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useApi } from '#client/app/calls/use-api.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { segmentsQuery } from '#client/segments/queries.ts'
import type { TypedSegment } from '#client/segments/segment-form.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { LazyConfirm } from '#client/ui/overlays/lazy-confirm.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ContactSort } from '#shared/contacts/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { type ContactFilter, usualSort } from './queries.ts'
import { SegmentCount } from './segment-count.tsx'

const SegmentDialog = lazyDialog(() => import('#client/segments/segment-dialog.tsx'))

/** Saved segments as tabs; of the chosen one, what can be done with it. */
export function SegmentTabs({ filter, sort }: { filter: ContactFilter; sort: ContactSort }) {
  const { t } = useTranslation('segments')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { items } = useAnswer(segmentsQuery(slug))
  const [open, setOpen] = useState<'new' | 'removal'>()
  /** The number of segments already counted. They are counted one after another, because each reads all contacts. */
  const [counted, setCounted] = useState(0)
  const close = () => setOpen(undefined)
  const sorted = (path: string) => (sort === usualSort ? path : `${path}${path.includes('?') ? '&' : '?'}sort=${sort}`)
  const chosen = items.find(({ id }) => id === filter.segment)
  const typed: Partial<TypedSegment> = {
    ...(filter.tag === undefined ? {} : { tagIds: [filter.tag] }),
    ...(filter.optedOut === undefined ? {} : { marketing: filter.optedOut ? 'refuses' : 'accepts' }),
  }
  const remove = async (id: string, name: string) => {
    await api.bulkSends.deleteSegment({ params: { id } })
    await navigate(paths.contacts(slug))
    await client.invalidateQueries({ queryKey: segmentsQuery(slug).queryKey })
    toast(t('removed', { name }), { kind: 'success' })
  }
  return (
    <div className="segments">
      <nav className="tabs segment-tabs" aria-label={t('tabs')}>
        <Link to={sorted(paths.contacts(slug))} aria-current={filter.segment === undefined ? 'page' : undefined}>
          {t('all')}
        </Link>
        {items.map((segment, i) => (
          <Link
            key={segment.id}
            to={sorted(paths.contactsOf(slug, segment.id))}
            aria-current={segment.id === filter.segment ? 'page' : undefined}
          >
            <bdi>{segment.label}</bdi>
            <SegmentCount
              segment={segment}
              mayCount={i <= counted}
              onCounted={() => setCounted(before => Math.max(before, i + 1))}
            />
          </Link>
        ))}
        <button type="button" className="icon-button" data-tip={t('new')} onClick={() => setOpen('new')}>
          <Icon name="plus" />
          <span className="sr-only">{t('new')}</span>
        </button>
      </nav>
      {chosen ? (
        <div className="segment-acts wrap">
          <Link className="button" to={paths.bulkToSegment(slug, chosen.id)}>
            <Icon name="send" />
            {t('send')}
          </Link>
          <button type="button" className="button" onClick={() => setOpen('removal')}>
            <Icon name="trash" />
            {t('remove')}
          </button>
        </div>
      ) : null}
      {open === 'new' ? (
        <SegmentDialog first={typed} onSaved={id => void navigate(paths.contactsOf(slug, id))} onClose={close} />
      ) : null}
      {open === 'removal' && chosen ? (
        <LazyConfirm
          title={t('removeAsk', { name: chosen.label })}
          says={[t('removeSays')]}
          confirm={t('remove')}
          run={() => remove(chosen.id, chosen.label)}
          onClose={close}
        />
      ) : null}
    </div>
  )
}
