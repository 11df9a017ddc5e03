import './views-dialog.css'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { isComposing } from '#client/ui/controls/composing.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { LazyConfirm } from '#client/ui/overlays/lazy-confirm.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { type SavedView, viewNameMaxChars } from '#shared/saved-views/api.ts'
import { useChangeViews } from './use-change-views.ts'
import { useViewWords } from './view-filter.ts'
import { viewsQuery } from './views-query.ts'

interface RenameProps {
  readonly org: string
  readonly view: SavedView
  onDone(): void
}

function Rename({ org, view, onDone }: RenameProps) {
  const { t } = useTranslation('inbox')
  const api = useApi()
  const [name, setName] = useState(view.name)
  const { fault, isWorking, run } = useChangeViews(org)
  return (
    <>
      <form
        className="views-rename"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (isWorking || !name.trim()) return
          run(() => api.savedViews.changeView({ params: { id: view.id }, body: { name } }), t('views.renamed'), onDone)
        }}
        onKeyDown={event => {
          if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
          event.preventDefault()
          event.stopPropagation()
          onDone()
        }}
      >
        <input
          // biome-ignore lint/a11y/noAutofocus: it took the place of the button that was pressed
          autoFocus
          dir="auto"
          aria-label={t('views.rename', { name: view.name })}
          maxLength={viewNameMaxChars}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <button type="submit" className="button">
          {t('views.keep')}
        </button>
      </form>
      {fault ? <Fault>{fault}</Fault> : null}
    </>
  )
}

function ViewRow({ org, view, words }: { org: string; view: SavedView; words: string }) {
  const { t } = useTranslation('inbox')
  const api = useApi()
  const manages = roleCan(effectiveRole(useOrg().role), 'member:manage')
  const [isRenaming, setIsRenaming] = useState(false)
  const [isDeleting, setIsDeleting] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const { fault, isWorking, change, run } = useChangeViews(org)
  const remove = () => api.savedViews.deleteView({ params: { id: view.id } })
  const deleteNow = () => run(remove, t('views.deleted'))
  return (
    <li>
      {isRenaming ? (
        <Rename
          org={org}
          view={view}
          onDone={() => {
            setIsRenaming(false)
            requestAnimationFrame(() => pencil.current?.focus())
          }}
        />
      ) : (
        <div className="views-row">
          <span className="cut">
            <bdi>{view.name}</bdi>
            <small>{words}</small>
          </span>
          {view.own || manages ? (
            <>
              <button
                ref={pencil}
                type="button"
                className="icon-button"
                aria-label={t('views.rename', { name: view.name })}
                onClick={() => setIsRenaming(true)}
              >
                <Icon name="pencil" />
              </button>
              <button
                type="button"
                className="icon-button"
                aria-label={t('views.delete', { name: view.name })}
                aria-disabled={isWorking}
                onClick={() => {
                  if (view.shared) setIsDeleting(true)
                  else if (!isWorking) deleteNow()
                }}
              >
                <Icon name="trash" />
              </button>
            </>
          ) : null}
        </div>
      )}
      {fault ? <Fault>{fault}</Fault> : null}
      {isDeleting ? (
        <LazyConfirm
          title={t('views.delete', { name: view.name })}
          says={[t('views.deleteShared')]}
          confirm={t('views.deleteConfirm')}
          run={() => change(remove, t('views.deleted'))}
          onClose={() => setIsDeleting(false)}
        />
      ) : null}
    </li>
  )
}

/** Renames and deletes saved views. */
export default function ViewsDialog({ org, onClose }: { org: string; onClose(): void }) {
  const { t } = useTranslation('inbox')
  const failureText = useFailureText()
  const { data, error } = useQuery(viewsQuery(org))
  const wordsOf = useViewWords(org, data?.items ?? [])
  return (
    <Modal title={t('views.heading')} onClose={onClose}>
      {error ? <Fault>{failureText(error)}</Fault> : null}
      {data?.items.length === 0 ? (
        <p className="views-none" role="status">
          {t('views.none')}
        </p>
      ) : null}
      {data?.items.length ? (
        <ul className="views">
          {data.items.map(view => (
            <ViewRow key={view.id} org={org} view={view} words={wordsOf(view)} />
          ))}
        </ul>
      ) : null}
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {t('views.close')}
        </button>
      </div>
    </Modal>
  )
}
