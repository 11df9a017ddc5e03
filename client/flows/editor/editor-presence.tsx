import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { usePresence } from '#client/shell/use-presence.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { KeptDraft } from './draft/kept-draft.ts'

interface EditorPresenceProps {
  readonly flowId: string
  readonly kept: KeptDraft
}

/** Shows who else has the flow open, and who is editing it. */
export default function EditorPresence({ flowId, kept }: EditorPresenceProps) {
  const { t } = useTranslation('flows')
  const api = useApi()
  const { people, hear, wrote, sayAgain } = usePresence(state =>
    api.flowPresence.setPresence({ params: { id: flowId }, body: { state } }),
  )
  const drew = useEffectEvent(wrote)
  useEffect(() => {
    let { present } = kept.now()
    return kept.subscribe(() => {
      const before = present
      present = kept.now().present
      // Ignores changes loaded from another person's save.
      if (present !== before && kept.saveState().kind === 'saving') drew()
    })
  }, [kept])
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
