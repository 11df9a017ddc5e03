import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { useKnownAnswer } from '#client/app/use-answer.ts'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { LazyCanvas } from '#client/flows/canvas/lazy-canvas.tsx'
import { trailOf } from '#client/flows/canvas/trail.ts'
import { useView } from '#client/flows/canvas/use-view.ts'
import { Outline, stepButton } from '#client/flows/outline/outline.tsx'
import { usePlay } from '#client/flows/play/use-play.ts'
import { editsFlows, figuresQuery, flowQuery } from '#client/flows/queries.ts'
import { FiguresList } from '#client/flows/runs/figures-list.tsx'
import { triggerText } from '#client/flows/words.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Flow, FlowName, LiveFlowShown } from '#shared/flows/api.ts'
import { secretReference } from '#shared/flows/http.ts'
import type { FlowTrigger } from '#shared/flows/triggers.ts'
import { broughtVariables, ownVariables, variablesInside } from '#shared/flows/uses.ts'
import { builtInVariables } from '#shared/flows/variables.ts'
import type { OrgMember, OrgTeam } from '#shared/orgs/members.ts'
import type { Tag } from '#shared/tags/api.ts'
import { readDraft, writeDraft } from './draft.ts'
import { EditorBar } from './editor-bar.tsx'
import { EditorActionsContext, type EditorFacts, EditorFactsContext, KeptDraftContext } from './editor-context.ts'
import { type EditorDialog, EditorDialogs } from './editor-dialogs.tsx'
import { ProblemsList } from './problems-list.tsx'
import { useSameValue } from './same-value.ts'
import { StaleNotice } from './stale-notice.tsx'
import { useEditorActionsOf } from './use-editor-actions.ts'
import { useEditorKeys } from './use-editor-keys.ts'
import { useFlowDraft, useKept } from './use-flow-draft.ts'
import { useNameable } from './use-nameable.ts'
import { useOthersSaves } from './use-others-saves.ts'
import { useProblems } from './use-problems.ts'
import { whenIdle } from './when-idle.ts'

const loadNodePanel = () => import('#client/flows/forms/node-panel.tsx')
const NodePanel = lazyDialog(loadNodePanel)
const PlayPanel = lazyDialog(() => import('#client/flows/play/play-panel.tsx'))

/** The number of steps per path in the first HTML, before the view is known. */
const firstSteps = 30

/** Figures older than this are requested again when shown. */
const figuresHoldMs = 30_000

interface EditorProps {
  readonly flow: Flow
  readonly flows: readonly FlowName[]
  readonly live: readonly LiveFlowShown[]
  readonly tags: readonly Tag[]
  readonly teams: readonly OrgTeam[]
  readonly members: readonly OrgMember[]
}

type Pane = 'step' | 'problems' | 'play' | 'figures' | undefined

/** A message that would start the flow; undefined: it starts in another way. */
const openingOf = (triggers: readonly FlowTrigger[]): string | undefined =>
  triggers.flatMap(one => (one.kind === 'keyword' && one.match !== 'pattern' ? one.words : [])).find(one => one.trim())

/** The editor of one flow: two views of one draft, a panel beside them, and automatic saving. */
export function Editor({ flow, flows, live, tags, teams, members }: EditorProps) {
  const { t } = useTranslation('flows')
  const { slug, role } = useOrg()
  const { flowsAsLists } = useFacts()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const isReadOnly = !editsFlows(role)
  const [view, setView] = useView()
  // The window's width is unknown in the first HTML, so both views are in it, unless the user chose the outline.
  const mayBeCanvas = view ? view === 'canvas' : !flowsAsLists
  const [selected, setSelected] = useState<readonly string[]>([])
  const [pane, setPane] = useState<Pane>()
  const [focusKey, setFocusKey] = useState(0)
  const answeredFocus = useRef(0)
  const [revealKey, setRevealKey] = useState(0)
  const [isAsked, setAsked] = useState(false)
  /** The step that was added last, until it is left. Its problems are not shown yet. In a new flow the start. */
  const [newStart] = useState(() => (flow.graph.nodes.length === 1 ? flow.graph.nodes[0]?.id : undefined))
  const [freshId, setFreshId] = useState(newStart)
  const [open, setOpen] = useState<EditorDialog>()

  /** Stores the server's response for the whole page. */
  const accept = (next: Flow) => {
    client.setQueryData(flowQuery(slug, flow.id).queryKey, next)
    return next.revision
  }
  const kept = useFlowDraft({
    // Only initial values: later responses are this editor's own saves, or resolved conflicts.
    begin: () => ({ draft: readDraft(flow), revision: flow.revision }),
    save: async (draft, revision) => {
      const { name, graph, triggers } = writeDraft(draft)
      const named = name.trim() ? { name: name.trim() } : {}
      const body = { revision, ...named, graph, triggers }
      return accept(await api.flows.save({ params: { id: flow.id }, body }))
    },
  })
  const { dispatch } = kept
  const draft = useKept(kept, one => one.shown())
  const stale = useKept(kept, one => (one.saveState().kind === 'stale' ? one.saveState() : undefined))
  const { graph, triggers } = draft
  // Deferred: the click is handled first, the update of hundreds of steps follows.
  const shownGraph = useDeferredValue(graph)
  const shownTriggers = useDeferredValue(triggers)

  const around = { flow, flows, live, tags, teams, members, isReadOnly }
  const { names, fields, secrets, facts: nameable } = useNameable(around)
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
  const [showsFigures, setShowsFigures] = useState(false)
  const counted = useKnownAnswer(figuresQuery(slug, flow.id))
  const figures = useMemo(
    () => (showsFigures && counted ? new Map(counted.nodes.map(one => [one.nodeId, one])) : undefined),
    [showsFigures, counted],
  )
  const drawing = useMemo(() => ({ graph: shownGraph, triggers: shownTriggers }), [shownGraph, shownTriggers])
  const { problems: found, check } = useProblems(drawing, nameable)
  const problems = useMemo(
    () =>
      freshId === undefined || isAsked
        ? found
        : found?.filter(
            ({ nodeId, code }) => nodeId !== freshId && !(code === 'triggerMissing' && freshId === newStart),
          ),
    [found, freshId, isAsked, newStart],
  )
  const variables = useSameValue(
    useMemo(() => {
      const own = [
        ...ownVariables(shownGraph),
        ...broughtVariables(shownTriggers),
        ...variablesInside(shownGraph, live),
      ]
      return [...builtInVariables, ...(fields ?? []), ...new Set(own.map(name => `flujo.${name}`))]
    }, [shownGraph, shownTriggers, live, fields]),
  )
  const beginsBy = useMemo(
    () => shownTriggers.map(one => triggerText(t, one, names)).join(' · '),
    [t, shownTriggers, names],
  )
  const drawn = useMemo<Omit<EditorFacts, 'trail' | 'figures'>>(
    () => ({
      flowId: flow.id,
      names,
      beginsBy,
      isReadOnly,
      isAsked,
      variables,
      problems: problems ?? [],
      // Not while the problems of a fresh step are held back.
      isChecked: found !== undefined && problems?.length === found.length,
      errorIds: new Set(problems?.flatMap(({ nodeId, isError }) => (isError && nodeId ? [nodeId] : []))),
      secrets: secrets?.items.map(({ name }) => secretReference(name)) ?? [],
      runnable: live.filter(({ id }) => id !== flow.id).map(({ id }) => id),
    }),
    [flow.id, names, beginsBy, isReadOnly, isAsked, variables, found, problems, secrets, live],
  )
  const facts = useMemo<EditorFacts>(() => ({ ...drawn, trail, figures }), [drawn, trail, figures])
  const actions = useEditorActionsOf({
    graph: () => kept.now().present.graph,
    selected,
    isReadOnly,
    dispatch,
    select: (ids, goesIntoPanel) => {
      setSelected(ids)
      setFreshId(now => (ids.length === 1 && ids[0] === now ? now : undefined))
      setPane(ids.length === 1 ? 'step' : undefined)
      if (!goesIntoPanel) return
      setFocusKey(key => key + 1)
      setRevealKey(key => key + 1)
    },
    reveal: id => {
      setSelected([id])
      setFreshId(now => (id === now ? now : undefined))
      // Beside a simulation or the figures the step is only selected; on a narrow screen its panel is opened instead.
      setPane(now => ((now === 'play' || now === 'figures') && matchMedia('(min-width: 768px)').matches ? now : 'step'))
      setRevealKey(key => key + 1)
      requestAnimationFrame(() => stepButton(id)?.scrollIntoView({ block: 'nearest' }))
    },
    focusStep: id => {
      // After the focused step has been removed.
      if (id) requestAnimationFrame(() => stepButton(id)?.focus())
    },
    onAdded: setFreshId,
    onCopied: count => toast(t('copied', { count }), { kind: 'success' }),
    onNothingToPaste: () => toast(t('nothingCopied')),
  })
  useEditorKeys({
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
    save: () => void kept.flush(),
    copy: () => actions.copy(selected),
    cut: () => {
      actions.copy(selected)
      actions.remove(selected)
    },
    paste: text => actions.paste(undefined, text),
    duplicate: () => actions.duplicate(selected),
    selectAll: () => actions.select(kept.now().present.graph.nodes.map(({ id }) => id)),
  })
  useOthersSaves(flow, kept)

  const publish = async () => {
    setAsked(true)
    const saved = await kept.flush()
    if (!saved) return toast(t('save.first'), { kind: 'error' })
    if (check(kept.now().present).some(({ isError }) => isError)) return setPane('problems')
    setOpen('publish')
  }
  const node = selected.length === 1 ? graph.nodes.find(({ id }) => id === selected[0]) : undefined
  const leave = (next: Pane) => {
    setFreshId(undefined)
    setPane(next)
  }
  const close = () => {
    leave(undefined)
    const [id] = selected
    if (id) requestAnimationFrame(() => stepButton(id)?.focus())
  }
  const toggleFigures = async () => {
    setShowsFigures(!showsFigures)
    leave(showsFigures ? undefined : 'figures')
    if (showsFigures) return
    try {
      await client.fetchQuery({ ...figuresQuery(slug, flow.id), staleTime: figuresHoldMs })
    } catch (error) {
      setShowsFigures(false)
      setPane(undefined)
      toast(failureText(error), { kind: 'error' })
    }
  }
  const togglePlay = () => {
    if (pane !== 'play') {
      setPlaying(true)
      return leave('play')
    }
    setPlaying(false)
    play.stop()
    setPane(undefined)
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.flow-play-button')?.focus())
  }
  // Loaded before a step is selected, so that its panel opens at once.
  useEffect(() => whenIdle(() => void loadNodePanel().catch(() => undefined), 4000), [])
  // A new flow begins with the question how it starts.
  useEffect(() => {
    if (newStart === undefined || !editsFlows(role) || !matchMedia('(min-width: 1024px)').matches) return
    setSelected([newStart])
    setPane('step')
  }, [newStart, role])
  // A step removed by undo or by somebody else is no longer selected.
  useEffect(() => {
    const there = new Set([...graph.nodes, ...(graph.notes ?? [])].map(({ id }) => id))
    if (selected.some(id => !there.has(id))) setSelected(ids => ids.filter(id => there.has(id)))
  }, [graph, selected])

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
            onFigures={() => void toggleFigures()}
            isProblems={pane === 'problems'}
            onProblems={() => leave(pane === 'problems' ? undefined : 'problems')}
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
          <div className="flow-body" data-view={view ?? (mayBeCanvas ? 'unknown' : 'outline')} data-pane={pane}>
            {/* A boundary each: the hidden view is never hydrated. */}
            {mayBeCanvas ? (
              <Suspense>
                <LazyCanvas graph={shownGraph} selected={selected} revealKey={revealKey} />
              </Suspense>
            ) : null}
            {view === 'canvas' ? null : (
              <Suspense>
                <Outline graph={shownGraph} selected={selected} most={view ? undefined : firstSteps} />
              </Suspense>
            )}
            {pane === 'problems' ? <ProblemsList graph={graph} onClose={() => setPane(undefined)} /> : null}
            {pane === 'figures' && counted ? (
              <FiguresList graph={graph} figures={counted} onClose={() => void toggleFigures()} />
            ) : null}
            {pane === 'play' ? (
              <PlayPanel play={play} published={flow.published?.version ?? null} graph={graph} onClose={togglePlay} />
            ) : null}
            {pane === 'step' && node ? (
              <NodePanel
                key={node.id}
                node={node}
                graph={shownGraph}
                focusKey={focusKey}
                answeredFocus={answeredFocus}
                flush={kept.flush}
                onClose={close}
              />
            ) : null}
          </div>
          <EditorDialogs {...{ open, flow, kept, draft, accept }} onClose={() => setOpen(undefined)} />
        </EditorFactsContext>
      </KeptDraftContext>
    </EditorActionsContext>
  )
}
