import './control-bar.css'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { attendingQuery } from '../../queries.ts'
import type { InboxT } from '../../words.ts'

interface ControlBarProps {
  readonly org: string
  readonly conversation: Conversation
  readonly canReply: boolean
  /** Assigns it to the reader. */
  onTake(): Promise<unknown>
  /** Only stops the bot. */
  onPause(): Promise<unknown>
  readonly t: InboxT
}

/** The flow that controls it, if known. Reloaded when the chat changes. */
const useAttending = (org: string, conversation: Conversation) => {
  const client = useQueryClient()
  const isBots = conversation.control === 'bot'
  const query = attendingQuery(org, conversation)
  const { queryKey } = query
  const answer = useOptionalAnswer({ ...query, enabled: isBots })
  const seen = useRef(conversation)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each event of a chat brings another row of it
  useEffect(() => {
    if (isBots && seen.current !== conversation) void client.invalidateQueries({ queryKey })
    seen.current = conversation
  }, [conversation])
  return isBots ? (answer?.session ?? undefined) : undefined
}

/** Says that the customer waits for a person, or which flow or agent answers, with the possible actions. */
export const ControlBar = ({ org, conversation, canReply, onTake, onPause, t }: ControlBarProps) => {
  const attending = useAttending(org, conversation)
  const [isBusy, setIsBusy] = useState(false)
  const waits = conversation.control === 'needsHuman'
  const isAgents = conversation.control === 'metaAgent'
  if (!waits && !attending && !isAgents) return null
  const run = (work: () => Promise<unknown>) => () => {
    if (isBusy) return
    setIsBusy(true)
    void work().finally(() => setIsBusy(false))
  }
  return (
    <aside className={waits ? 'control-bar control-waits' : 'control-bar'} aria-label={t('control.label')}>
      <Icon name={waits ? 'hand' : 'bot'} />
      <p>
        {attending
          ? t(attending.state === 'parked' ? 'control.parked' : 'control.attends', { flow: attending.name })
          : t(isAgents ? 'control.agentAnswers' : 'control.waits')}
      </p>
      {canReply ? (
        <>
          {attending ? (
            <button
              type="button"
              className="button button-quiet"
              title={t('control.pauseHint')}
              aria-disabled={isBusy}
              onClick={run(onPause)}
            >
              {t('control.pause')}
            </button>
          ) : null}
          <button type="button" className="button" aria-disabled={isBusy} onClick={run(onTake)}>
            {t('assign.me')}
          </button>
        </>
      ) : null}
    </aside>
  )
}
