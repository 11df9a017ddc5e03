import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Flow } from '#shared/flows/api.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import { trailOf } from '../canvas/trail.ts'
import { usePlay } from '../play/use-play.ts'
import type { KeptDraft } from './draft/kept-draft.ts'
import type { Selection } from './use-selection.ts'

/** A message that would start the flow; undefined: it starts in another way. */
const openingOf = (triggers: readonly FlowTrigger[]): string | undefined =>
  triggers.flatMap(one => (one.kind === 'keyword' && one.match !== 'pattern' ? one.words : [])).find(one => one.trim())

/** The simulated conversation beside the drawing, and its path in it. */
export function useEditorPlay(
  flow: Flow,
  kept: KeptDraft,
  triggers: readonly FlowTrigger[],
  { pane, setPane, leaveFor }: Selection,
) {
  const { t } = useTranslation('flows')
  const [isPlaying, setPlaying] = useState(false)
  const play = usePlay({
    flowId: flow.id,
    revision: flow.revision,
    isOn: isPlaying,
    opening: openingOf(triggers),
    firstName: t('play.firstName'),
    flush: kept.flush,
    unsaved: t('save.first'),
  })
  const { answer } = play
  const trail = useMemo(
    () => (isPlaying && answer ? trailOf(answer.steps, answer.nodeId) : undefined),
    [isPlaying, answer],
  )
  const togglePlay = () => {
    if (pane !== 'play') {
      setPlaying(true)
      return leaveFor('play')
    }
    setPlaying(false)
    play.stop()
    setPane(undefined)
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.flow-play-button')?.focus())
  }
  return { play, trail, togglePlay }
}
