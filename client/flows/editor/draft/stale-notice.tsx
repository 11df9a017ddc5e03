import { useQueryClient } from '@tanstack/react-query'
import { useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Flow } from '#shared/flows/api.ts'
import { flowQuery } from '../../queries.ts'

interface StaleNoticeProps {
  readonly flowId: string
  /** The refusal, which names who saved. */
  readonly error: unknown
  /** The local draft stays available by undo. */
  takeTheirs(theirs: Flow): void
  keepMine(theirs: Flow): void
}

/** Somebody else has saved meanwhile: names them and asks which draft to keep. */
export function StaleNotice({ flowId, error, takeTheirs, keepMine }: StaleNoticeProps) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const query = flowQuery(slug, flowId)
  const [isWorking, work] = useTransition()
  const decide = (go: (flow: Flow) => void) =>
    work(async () => {
      try {
        go(await client.fetchQuery({ ...query, staleTime: 0 }))
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  return (
    <div className="notice notice-warn flow-stale" role="alert">
      <Icon name="warn" />
      <p>
        {failureText(error)} {t('stale.says')}
      </p>
      <button
        type="button"
        className="button"
        aria-disabled={isWorking}
        onClick={() => isWorking || decide(takeTheirs)}
      >
        {t('stale.theirs')}
      </button>
      <button type="button" className="button" aria-disabled={isWorking} onClick={() => isWorking || decide(keepMine)}>
        {t('stale.mine')}
      </button>
    </div>
  )
}
