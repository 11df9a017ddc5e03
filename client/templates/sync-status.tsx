import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { editsTemplates, refreshTemplates, syncQuery } from './queries.ts'
import { useWhen } from './words.tsx'

const waitingMs = 5_000

/**
 * After connecting a number no template is known. People with the right start a read; others poll, because the first
 * read emits no event.
 */
function useFirstReading(org: string, role: string) {
  const client = useQueryClient()
  const api = useApi()
  const isWaiting = useAnswer(syncQuery(org)).state === 'waiting'
  useEffect(() => {
    if (!isWaiting) return
    let isGone = false
    const look = () => void (isGone || refreshTemplates(client, org))
    // A failure is shown by the list's own state.
    if (editsTemplates(role)) api.templates.sync({}).then(look, look)
    const timer = setInterval(look, waitingMs)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [api, client, isWaiting, org, role])
}

/** Says when Meta's list was last read, with a button to read it now. */
export function SyncStatus() {
  const { t } = useTranslation('templates')
  const { slug, role } = useOrg()
  const client = useQueryClient()
  const api = useApi()
  const failureText = useFailureText()
  const when = useWhen()
  const data = useAnswer(syncQuery(slug))
  useFirstReading(slug, role)
  const [isRunning, run] = useTransition()
  const sync = () =>
    run(async () => {
      try {
        const fresh = await api.templates.sync({})
        client.setQueryData(syncQuery(slug).queryKey, fresh)
        toast(t('sync.done', { count: fresh.total }), { kind: 'success', key: 'template-sync' })
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
      await refreshTemplates(client, slug)
    })
  const at = data.syncedAt
  return (
    <div className="template-sync">
      <span role="status">
        {isRunning || (data.state === 'waiting' && !at)
          ? t('sync.running')
          : at
            ? t('sync.at', { when: when(at) })
            : t('sync.never')}
      </span>
      {editsTemplates(role) ? (
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={isRunning}
          onClick={() => isRunning || sync()}
        >
          <Icon name="retry" />
          {t('sync.run')}
        </button>
      ) : null}
    </div>
  )
}

/** Why the last read failed. Nothing if it did not. */
export function SyncFailure() {
  const { t } = useTranslation('templates')
  const { slug } = useOrg()
  const { failure } = useAnswer(syncQuery(slug))
  if (!failure) return null
  return (
    <div className="notice notice-warn" role="status">
      <Icon name="warn" />
      <p>{t('sync.failed', { reason: failure.message })}</p>
    </div>
  )
}
