import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useEvents } from '#client/shell/live-provider.tsx'
import { usePresence } from '#client/shell/use-presence.ts'
import { Icon } from '#client/ui/icon.tsx'
import { useApi } from '#client/use-api.ts'
import type { FlowDraft } from './draft.ts'

interface EditorPresenceProps {
  readonly flowId: string
  readonly draft: FlowDraft
  /** What is drawn is this person's, and not what somebody else saved. */
  readonly isOwn: boolean
}

/** Who else has the flow open, and who is drawing in it. */
export default function EditorPresence({ flowId, draft, isOwn }: EditorPresenceProps) {
  const { t } = useTranslation('flows')
  const api = useApi()
  const { people, hear, wrote, sayAgain } = usePresence(state =>
    api.flowPresence.setPresence({ params: { id: flowId }, body: { state } }),
  )
  const drew = useEffectEvent(wrote)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of what is drawn says so again
  useEffect(() => {
    if (isOwn) drew()
  }, [draft, isOwn])
  useEvents({ flowPresence: event => void (event.id === flowId && hear(event.person, event.isGone)) }, sayAgain)
  const drawing = people.filter(({ isWriting }) => isWriting)
  const [first, ...others] = drawing.length ? drawing : people
  if (!first) return null
  return (
    <span className={drawing.length ? 'chip chip-amber flow-presence' : 'chip flow-presence'} role="status">
      <Icon name={drawing.length ? 'pencil' : 'person'} />
      <span className="cut">
        {t(drawing.length ? 'presence.drawing' : 'presence.looking', { name: first.name, count: others.length })}
      </span>
    </span>
  )
}
