import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import type { OrgArchive } from '#shared/exports/api.ts'
import { shortDate, shortTime } from '#shared/kernel/time.ts'
import { bytesText } from '#shared/media/sent-files.ts'

/** The progress of an archive that is being made is asked for this often. */
const progressMs = 2_000

const archiveQuery = (org: string) => ({
  ...queryFor(org, 'orgExport.getArchive', {}),
  refetchInterval: ({ state }: { state: { data?: { archive: OrgArchive | null } } }) =>
    state.data?.archive?.state === 'running' ? progressMs : (false as const),
})

function useSays() {
  const { t } = useTranslation('settings')
  const { language, timeZone } = useFacts()
  const number = new Intl.NumberFormat(language)
  return ({ state, failure, done, messages, size, expiresAt }: OrgArchive): string => {
    if (state === 'running')
      return t('export.running', { done: number.format(done), messages: number.format(messages) })
    if (state === 'failed') return t(`export.failure.${failure ?? 'broken'}`)
    const until = shortDate(expiresAt ?? '', language, timeZone)
    return t('export.done', { messages: number.format(messages), size: bytesText(size ?? 0), until })
  }
}

/** Requests an archive of the organization's data, shows its progress and links to the download. */
export function ExportAll() {
  const { t } = useTranslation('settings')
  const { language, timeZone } = useFacts()
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const says = useSays()
  const [failure, setFailure] = useState<string>()
  const [isBusy, work] = useTransition()
  const query = archiveQuery(slug)
  const archive = useOptionalAnswer(query)?.archive
  const run = (act: () => Promise<unknown>) => {
    if (isBusy) return
    work(async () => {
      setFailure(undefined)
      try {
        await act()
      } catch (error) {
        setFailure(failureText(error))
      }
      await client.invalidateQueries({ queryKey: query.queryKey })
    })
  }
  const isRunning = archive?.state === 'running'
  return (
    <>
      <p>{t('export.text')}</p>
      {failure ? <Fault>{failure}</Fault> : null}
      <p role="status">{archive ? says(archive) : null}</p>
      {isRunning ? (
        <progress aria-label={t('export.progress')} max={archive.messages || 1} value={archive.done} />
      ) : null}
      {archive ? (
        <p className="field-hint">
          {t('export.who', { author: archive.author, at: shortTime(archive.createdAt, language, timeZone) })}
        </p>
      ) : null}
      <div className="card-buttons">
        {archive?.url ? (
          <a className="button button-primary" href={archive.url} download>
            {t('export.download')}
          </a>
        ) : null}
        {isRunning ? null : (
          <button
            type="button"
            className="button"
            aria-disabled={isBusy}
            onClick={() => run(() => api.orgExport.begin({}))}
          >
            {t(archive ? 'export.again' : 'export.open')}
          </button>
        )}
        {archive ? (
          <button
            type="button"
            className="button"
            aria-disabled={isBusy}
            onClick={() => run(() => api.orgExport.remove({}))}
          >
            {t(isRunning ? 'export.stop' : 'export.remove')}
          </button>
        ) : null}
      </div>
    </>
  )
}
