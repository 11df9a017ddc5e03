import './views-dialog.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { type SavedView, type ViewFilter, viewNameMaxChars } from '#shared/saved-views/api.ts'
import type { ListFilter } from '../list-filter.ts'
import { useFilterWords, useViewWords, viewOf } from './view-filter.ts'
import { refreshViews, viewsQuery } from './views-query.ts'

/** Runs a change, confirms it and reloads the views. `fault`: why it failed. */
const useChange = (org: string) => {
  const client = useQueryClient()
  const failureText = useFailureText()
  const [fault, setFault] = useState<string>()
  const [isWorking, start] = useTransition()
  const run = (work: () => Promise<unknown>, done: string, after?: () => void) =>
    start(async () => {
      setFault(undefined)
      try {
        await work()
        await refreshViews(client, org)
        toast(done, { kind: 'success' })
        after?.()
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return { fault, setFault, isWorking, run }
}

interface NewViewProps {
  readonly org: string
  readonly filter: ViewFilter
  onSaved(): void
}

function NewView({ org, filter, onSaved }: NewViewProps) {
  const { t } = useTranslation('inbox')
  const api = useApi()
  const mayShare = roleCan(effectiveRole(useOrg().role), 'chat:reply')
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const { fault, setFault, isWorking, run } = useChange(org)
  const words = useFilterWords(org, [filter])(filter)
  const save = () => {
    if (!name.trim()) return setFault(t('views.nameMissing'))
    run(() => api.savedViews.createView({ body: { name, shared, filter } }), t('views.saved'), onSaved)
  }
  return (
    <form
      className="stack views-new"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (!isWorking) save()
      }}
    >
      <p className="views-holds">{t('views.holds', { words })}</p>
      <Field
        label={t('views.name')}
        autoFocus
        maxLength={viewNameMaxChars}
        value={name}
        {...(fault ? { fault } : {})}
        onChange={({ target }) => setName(target.value)}
      />
      {mayShare ? (
        <label className="check">
          <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
          {t('views.shared')}
        </label>
      ) : null}
      <button type="submit" className="button button-primary" aria-disabled={isWorking}>
        {t('views.save')}
      </button>
    </form>
  )
}

function ViewRow({ org, view, words }: { org: string; view: SavedView; words: string }) {
  const { t } = useTranslation('inbox')
  const api = useApi()
  const manages = roleCan(effectiveRole(useOrg().role), 'member:manage')
  const [name, setName] = useState<string>()
  const { fault, isWorking, run } = useChange(org)
  const params = { id: view.id }
  if (name !== undefined)
    return (
      <li>
        <form
          className="views-rename"
          noValidate
          onSubmit={event => {
            event.preventDefault()
            if (isWorking || !name.trim()) return
            run(
              () => api.savedViews.changeView({ params, body: { name } }),
              t('views.renamed'),
              () => setName(undefined),
            )
          }}
        >
          <input
            // biome-ignore lint/a11y/noAutofocus: it took the place of the button that was pressed
            autoFocus
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
      </li>
    )
  return (
    <li>
      <div className="views-row">
        <span className="cut">
          <bdi>{view.name}</bdi>
          <small>{words}</small>
        </span>
        {view.own || manages ? (
          <>
            <button
              type="button"
              className="icon-button"
              aria-label={t('views.rename', { name: view.name })}
              onClick={() => setName(view.name)}
            >
              <Icon name="pencil" />
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={t('views.delete', { name: view.name })}
              aria-disabled={isWorking}
              onClick={() => isWorking || run(() => api.savedViews.deleteView({ params }), t('views.deleted'))}
            >
              <Icon name="trash" />
            </button>
          </>
        ) : null}
      </div>
      {fault ? <Fault>{fault}</Fault> : null}
    </li>
  )
}

/** Saves the list's filters as a view, and renames or deletes views. */
export default function ViewsDialog({ org, filter, onClose }: { org: string; filter: ListFilter; onClose(): void }) {
  const { t } = useTranslation('inbox')
  const failureText = useFailureText()
  const { data, error } = useQuery(viewsQuery(org))
  const wordsOf = useViewWords(org, data?.items ?? [])
  const held = viewOf(filter)
  return (
    <Modal title={t('views.heading')} onClose={onClose}>
      {Object.keys(held).length ? <NewView org={org} filter={held} onSaved={onClose} /> : <p>{t('views.nothing')}</p>}
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
