import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { quietPart } from '#client/ui/feedback/quiet-part.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Flow } from '#shared/flows/api.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import { paths } from '#shared/kernel/paths.ts'
import { Mark } from '../canvas/mark.tsx'
import type { View } from '../canvas/use-view.ts'
import { OwnForm } from '../forms/own-form.tsx'
import { saveFlowFile } from '../import/exchange.ts'
import { editsFlows } from '../queries.ts'
import { StatusChip } from '../status-chip.tsx'
import type { KeptDraft } from './draft/kept-draft.ts'
import { useKept } from './draft/use-flow-draft.ts'
import { useEditorFacts } from './editor-context.ts'
import { StepSearch } from './step-search.tsx'
import { useTyped } from './use-typed.ts'
import { PublishButton, useUnpublished } from './versions/publish-button.tsx'

const EditorPresence = quietPart(() => import('./editor-presence.tsx'))

/** Says whether the draft is saved. */
function SaveStatus({ kept }: { readonly kept: KeptDraft }) {
  const { t } = useTranslation('flows')
  const kind = useKept(kept, one => one.saveState().kind)
  return (
    <span className="flow-save" role="status">
      {t(`save.${kind === 'failed' ? 'stale' : kind}`)}
    </span>
  )
}

/** The reason for a failed save, on a line of its own because it is too long for the toolbar. */
function SaveFailure({ kept }: { readonly kept: KeptDraft }) {
  const { t } = useTranslation('flows')
  const failureText = useFailureText()
  const saveState = useKept(kept, one => one.saveState())
  if (saveState.kind !== 'failed') return null
  return (
    <p className="flow-save-failed" role="alert">
      {failureText(saveState.error)}
      <button type="button" className="link" onClick={() => void kept.flush()}>
        {t('save.retry')}
      </button>
    </p>
  )
}

interface EditorBarProps {
  readonly flow: Flow
  readonly kept: KeptDraft
  readonly view: View | undefined
  readonly isProblems: boolean
  readonly isPlaying: boolean
  readonly showsFigures: boolean
  onView(view: View): void
  onProblems(): void
  onPlay(): void
  onFigures(): void
  onPublish(): void
  onOpen(dialog: 'versions' | 'try' | 'replay' | 'test'): void
}

/** The flow's name, edited in place. */
function NameField({ kept }: { readonly kept: KeptDraft }) {
  const { t } = useTranslation('flows')
  const { isReadOnly } = useEditorFacts()
  const id = useId()
  const name = useKept(kept, one => one.now().present.name)
  const typed = useTyped<HTMLInputElement>(name, written =>
    kept.dispatch({ type: 'change', change: one => ({ ...one, name: written }), key: 'name' }),
  )
  return (
    <>
      <label className="sr-only" htmlFor={id}>
        {t('flowName')}
      </label>
      <input
        ref={typed.ref}
        id={id}
        form={`${id}-form`}
        className="flow-name"
        defaultValue={typed.defaultValue}
        readOnly={isReadOnly}
        maxLength={flowLimits.name}
        autoComplete="off"
        onChange={({ target }) => typed.change(target.value)}
        onBlur={typed.leave}
      />
      <OwnForm id={`${id}-form`} />
    </>
  )
}

/** Undo and redo; screen readers hear what happened. */
function BackAndForth({ kept }: { readonly kept: KeptDraft }) {
  const { t } = useTranslation('flows')
  const canUndo = useKept(kept, one => one.now().past.length > 0)
  const canRedo = useKept(kept, one => one.now().future.length > 0)
  const said = useKept(kept, one => {
    const { went, past, future } = one.now()
    if (!went) return ''
    return went === 'back' ? t('undone', { count: past.length }) : t('redone', { count: future.length })
  })
  return (
    <>
      <button
        type="button"
        className="icon-button"
        disabled={!canUndo}
        aria-label={t('undo')}
        data-tip={`${t('undo')} · Ctrl+Z`}
        onClick={() => kept.dispatch({ type: 'undo' })}
      >
        <Mark name="undo" />
      </button>
      <button
        type="button"
        className="icon-button"
        disabled={!canRedo}
        aria-label={t('redo')}
        data-tip={`${t('redo')} · Ctrl+Y`}
        onClick={() => kept.dispatch({ type: 'redo' })}
      >
        <Mark name="redo" />
      </button>
      <span className="sr-only" role="status">
        {said}
      </span>
    </>
  )
}

/** Name, state and actions of the whole flow. */
export function EditorBar(props: EditorBarProps) {
  const { flow, kept, view, isProblems, isPlaying, showsFigures } = props
  const { onView, onProblems, onPlay, onFigures, onPublish, onOpen } = props
  const { t } = useTranslation('flows')
  const { slug, role } = useOrg()
  const navigate = useNavigate()
  const { problems, isChecked, isReadOnly } = useEditorFacts()
  const draft = useKept(kept, one => one.shown())
  const saves = useKept(kept, one => one.saveState().kind)
  const errors = problems.filter(({ isError }) => isError).length
  const mayDiffer = flow.hasChanges || saves !== 'saved'
  const unpublished = useUnpublished(flow, draft, mayDiffer)
  const hasChanges = unpublished === undefined ? mayDiffer : unpublished > 0
  // The publish button says it, so nothing else on the bar repeats that all is well.
  const isAllPublished = !isReadOnly && !hasChanges && flow.state === 'live'
  const isFaultless = isChecked && !problems.length && !isAllPublished
  return (
    <div className="flow-bar">
      <Link className="icon-button" to={paths.flows(slug)} aria-label={t('toList')} data-tip={t('toList')}>
        <Icon name="back" />
      </Link>
      <h1 className="sr-only">
        <bdi>{draft.name || flow.name}</bdi>
      </h1>
      <div className="flow-title" data-quiet={isAllPublished}>
        <NameField kept={kept} />
        <StatusChip flow={{ state: flow.state, hasChanges }} />
        {isReadOnly ? null : <SaveStatus kept={kept} />}
      </div>
      <EditorPresence flowId={flow.id} kept={kept} />
      <div className="flow-bar-tools">
        <StepSearch graph={draft.graph} />
        {isReadOnly ? null : <BackAndForth kept={kept} />}
        <fieldset className="flow-views">
          <legend className="sr-only">{t('view.label')}</legend>
          {(['canvas', 'outline'] as const).map(one => (
            <button key={one} type="button" aria-pressed={view === one} onClick={() => onView(one)}>
              {t(`view.${one}`)}
            </button>
          ))}
        </fieldset>
        <button
          type="button"
          className="button flow-problems-button"
          aria-pressed={isProblems}
          data-errors={errors > 0}
          data-any={problems.length > 0}
          onClick={onProblems}
        >
          {isFaultless || problems.length ? <Icon name={problems.length ? 'warn' : 'tick'} /> : null}
          {problems.length ? t('problemCount', { count: problems.length }) : t(isFaultless ? 'noProblem' : 'problems')}
        </button>
        <button type="button" className="button flow-play-button" aria-pressed={isPlaying} onClick={onPlay}>
          <Mark name="play" />
          {t('play.open')}
        </button>
        {isReadOnly ? null : <PublishButton {...{ flow, hasChanges, onPublish }} count={unpublished} />}
        <RowMenu
          label={t('actionsOf', { name: flow.name })}
          items={() => (
            <>
              {flow.published === null ? null : (
                <>
                  <MenuItem onClick={onFigures}>{t(showsFigures ? 'figures.hide' : 'figures.show')}</MenuItem>
                  <MenuItem onClick={() => void navigate(paths.flowRuns(slug, flow.id))}>{t('runs.open')}</MenuItem>
                  <MenuItem onClick={() => onOpen('replay')}>{t('replay.open')}</MenuItem>
                </>
              )}
              {editsFlows(role) ? <MenuItem onClick={() => onOpen('test')}>{t('test.open')}</MenuItem> : null}
              <MenuItem onClick={() => onOpen('try')}>{t('try.open')}</MenuItem>
              <MenuItem onClick={() => onOpen('versions')}>{t('versions.open')}</MenuItem>
              <MenuItem onClick={() => saveFlowFile(kept.now().present)}>{t('export')}</MenuItem>
            </>
          )}
        />
      </div>
      <SaveFailure kept={kept} />
    </div>
  )
}
