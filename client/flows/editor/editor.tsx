import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Flow, FlowName, LiveFlowShown } from '#shared/flows/api.ts'
import type { OrgMember, OrgTeam } from '#shared/orgs/members.ts'
import type { Tag } from '#shared/tags/api.ts'
import { useView } from '../canvas/use-view.ts'
import { editsFlows } from '../queries.ts'
import { useEditorCommands } from './commands/use-commands.ts'
import { readDraft } from './draft/draft.ts'
import { StaleNotice } from './draft/stale-notice.tsx'
import { useKept } from './draft/use-flow-draft.ts'
import { useOthersSaves } from './draft/use-others-saves.ts'
import { useSavedFlow } from './draft/use-saved-flow.ts'
import { EditorBar } from './editor-bar.tsx'
import { EditorBody, loadNodePanel } from './editor-body.tsx'
import { EditorActionsContext, EditorFactsContext, KeptDraftContext } from './editor-context.ts'
import { type EditorDialog, EditorDialogs } from './editor-dialogs.tsx'
import { useEditorPlay } from './use-editor-play.ts'
import { useFlowFacts } from './use-flow-facts.ts'
import { useSelection } from './use-selection.ts'
import { useStepFigures } from './use-step-figures.ts'
import { whenIdle } from './when-idle.ts'

interface EditorProps {
  readonly flow: Flow
  readonly flows: readonly FlowName[]
  readonly live: readonly LiveFlowShown[]
  readonly tags: readonly Tag[]
  readonly teams: readonly OrgTeam[]
  readonly members: readonly OrgMember[]
}

/** The editor of one flow: two views of one draft, a panel beside them, and automatic saving. */
export function Editor({ flow, flows, live, tags, teams, members }: EditorProps) {
  const { t } = useTranslation('flows')
  const isReadOnly = !editsFlows(useOrg().role)
  const [view, setView] = useView()
  const [open, setOpen] = useState<EditorDialog>()
  const [isAsked, setAsked] = useState(false)
  const { kept, accept } = useSavedFlow(flow)
  const draft = useKept(kept, one => one.shown())
  const stale = useKept(kept, one => (one.saveState().kind === 'stale' ? one.saveState() : undefined))
  // Deferred: the click is handled first, the update of hundreds of steps follows.
  const shownGraph = useDeferredValue(draft.graph)
  const shownTriggers = useDeferredValue(draft.triggers)
  const drawing = useMemo(() => ({ graph: shownGraph, triggers: shownTriggers }), [shownGraph, shownTriggers])

  const selection = useSelection(flow, draft.graph, isReadOnly)
  const { pane, setPane, leaveFor, freshId, newStart } = selection
  const { play, trail, togglePlay } = useEditorPlay(flow, kept, draft.triggers, selection)
  const { counted, figures, showsFigures, toggleFigures } = useStepFigures(flow.id, selection)
  const nameable = { flow, flows, live, tags, teams, members, isReadOnly }
  const { facts, check } = useFlowFacts({ nameable, drawing, freshId, newStart, isAsked, trail, figures })
  const actions = useEditorCommands(kept, selection, isReadOnly)
  useOthersSaves(flow, kept)
  // Loaded before a step is selected, so that its panel opens at once.
  useEffect(() => whenIdle(() => void loadNodePanel().catch(() => undefined), 4000), [])

  const publish = async () => {
    setAsked(true)
    const saved = await kept.flush()
    if (!saved) return toast(t('save.first'), { kind: 'error' })
    if (check(kept.now().present).some(({ isError }) => isError)) return setPane('problems')
    setOpen('publish')
  }

  return (
    <EditorActionsContext value={actions}>
      <KeptDraftContext value={kept}>
        <EditorFactsContext value={facts}>
          <EditorBar
            flow={flow}
            kept={kept}
            view={view}
            onView={setView}
            onPublish={() => void publish()}
            onOpen={setOpen}
            showsFigures={showsFigures}
            onFigures={toggleFigures}
            isProblems={pane === 'problems'}
            onProblems={() => leaveFor(pane === 'problems' ? undefined : 'problems')}
            isPlaying={pane === 'play'}
            onPlay={togglePlay}
          />
          {stale && 'error' in stale ? (
            <StaleNotice
              flowId={flow.id}
              error={stale.error}
              takeTheirs={theirs => {
                accept(theirs)
                kept.settle(theirs.revision, readDraft(theirs))
              }}
              keepMine={theirs => kept.settle(theirs.revision)}
            />
          ) : null}
          {flow.limitedAt ? (
            <p className="notice notice-warn flow-limited">
              <Icon name="warn" />
              {t('limited.says')}
            </p>
          ) : null}
          <EditorBody
            flow={flow}
            kept={kept}
            graph={draft.graph}
            shownGraph={shownGraph}
            view={view}
            selection={selection}
            play={play}
            onPlay={togglePlay}
            counted={counted}
            onFigures={toggleFigures}
          />
          <EditorDialogs {...{ open, flow, kept, draft, accept }} onClose={() => setOpen(undefined)} />
        </EditorFactsContext>
      </KeptDraftContext>
    </EditorActionsContext>
  )
}
