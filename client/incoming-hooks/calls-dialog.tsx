import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { type IncomingCall, type IncomingHook, incomingLimits } from '#shared/incoming-hooks/api.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { useFacts } from '../app/facts.ts'
import { useApi, useFailureText } from '../app/use-api.ts'
import { useOrg } from '../shell/viewer.ts'
import { callsQuery } from './queries.ts'

interface CallRowProps {
  readonly call: IncomingCall
  /** Absent: it cannot be repeated. */
  readonly onReplay: (() => void) | undefined
}

function CallRow({ call, onReplay }: CallRowProps) {
  const { t } = useTranslation('integrations')
  const { language, timeZone } = useFacts()
  const { state, says, at, body, bytes, replayOf } = call
  return (
    <li>
      <details>
        <summary>
          <span className={state === 'done' ? 'chip chip-green' : 'chip chip-red'}>{t(`incoming.state.${state}`)}</span>
          <b dir="auto">{says}</b>
          <time dateTime={at}>{shortTime(at, language, timeZone)}</time>
        </summary>
        {replayOf ? <p className="field-hint">{t('incoming.replayed')}</p> : null}
        <pre className="hook-body">{body ?? t('incoming.notKept', { bytes })}</pre>
        {onReplay ? (
          <button type="button" className="button" onClick={onReplay}>
            {t('incoming.replay')}
          </button>
        ) : null}
      </details>
    </li>
  )
}

interface CallsDialogProps {
  readonly hook: IncomingHook
  onReplayed(): void
  onClose(): void
}

/** The calls of a hook, newest first, with what they did. */
export default function CallsDialog({ hook, onReplayed, onClose }: CallsDialogProps) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const { id, name, active } = hook
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const { queryKey } = callsQuery(slug, id)
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...queryKey, 'pages'],
    queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
      api.incomingHooks.listCalls({ params: { id }, query: pageParam === undefined ? {} : { before: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: last => last.next ?? undefined,
  })
  const calls = data?.pages.flatMap(({ items }) => items)
  const replay = (callId: string) =>
    work(async () => {
      setFailure(undefined)
      try {
        await api.incomingHooks.replayCall({ params: { id, callId } })
        await client.invalidateQueries({ queryKey })
        onReplayed()
      } catch (refusal) {
        setFailure(failureText(refusal))
      }
    })
  return (
    <Modal title={t('incoming.callsOf', { name })} width={640} onClose={onClose}>
      <div className="stack">
        <p className="field-hint">
          {t('incoming.callsText', { days: incomingLimits.days, count: incomingLimits.callsKept })}
        </p>
        {failure || error ? <Fault>{failure ?? failureText(error)}</Fault> : null}
        {calls?.length === 0 ? <p>{t('incoming.noCalls')}</p> : null}
        {calls || error ? null : <span className="skeleton hook-skeleton" />}
        {calls?.length ? (
          <ul className="hook-calls" aria-label={t('incoming.calls')}>
            {calls.map(call => (
              <CallRow
                key={call.id}
                call={call}
                onReplay={active && call.body !== null && !isWorking ? () => replay(call.id) : undefined}
              />
            ))}
          </ul>
        ) : null}
        {hasNextPage ? (
          <button
            type="button"
            className="button"
            aria-disabled={isFetchingNextPage}
            onClick={() => isFetchingNextPage || fetchNextPage()}
          >
            {t('hooks.more')}
          </button>
        ) : null}
      </div>
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {t('hooks.close')}
        </button>
      </div>
    </Modal>
  )
}
