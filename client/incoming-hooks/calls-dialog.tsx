import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { Log, LogBody, LogEntry } from '#client/integrations/card/log.tsx'
import { useRecent } from '#client/integrations/card/recent.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { type IncomingCall, type IncomingHook, incomingLimits } from '#shared/incoming-hooks/api.ts'
import { callsQuery } from './queries.ts'

interface CallRowProps {
  readonly call: IncomingCall
  /** Absent: it cannot be repeated. */
  readonly onReplay: (() => void) | undefined
}

function CallRow({ call, onReplay }: CallRowProps) {
  const { t } = useTranslation('integrations')
  const recent = useRecent()
  const { state, says, at, body, bytes, replayOf } = call
  return (
    <LogEntry
      state={{ tone: state === 'done' ? 'good' : 'bad', says: t(`incoming.state.${state}`) }}
      says={says}
      at={at}
      shownAt={recent(at)}
      again={
        onReplay ? (
          <button type="button" className="button" onClick={onReplay}>
            {t('incoming.replay')}
          </button>
        ) : null
      }
    >
      {replayOf ? <p className="field-hint">{t('incoming.replayed')}</p> : null}
      {body === null ? <p className="small">{t('incoming.notKept', { bytes })}</p> : <LogBody body={body} />}
    </LogEntry>
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
  const list = useInfiniteQuery({
    queryKey: [...queryKey, 'pages'],
    queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
      api.incomingHooks.listCalls({ params: { id }, query: pageParam === undefined ? {} : { before: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: last => last.next ?? undefined,
  })
  const calls = list.data?.pages.flatMap(({ items }) => items)
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
        <Log
          name={t('incoming.calls')}
          count={calls?.length}
          empty={t('incoming.noCalls')}
          list={list}
          failure={failure}
        >
          {calls?.map(call => (
            <CallRow
              key={call.id}
              call={call}
              onReplay={active && call.body !== null && !isWorking ? () => replay(call.id) : undefined}
            />
          ))}
        </Log>
      </div>
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {t('hooks.close')}
        </button>
      </div>
    </Modal>
  )
}
