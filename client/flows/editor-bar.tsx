import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/icon.tsx'
import { MenuItem } from '#client/ui/menu.tsx'
import { quietPart } from '#client/ui/quiet-part.tsx'
import { RowMenu } from '#client/ui/row-menu.tsx'
import { useFailureText } from '#client/use-api.ts'
import { flowLimits } from '#shared/flow-graph.ts'
import type { Flow } from '#shared/flows.ts'
import { paths } from '#shared/paths.ts'
import { useEditorFacts } from './editor-context.ts'
import { saveFlowFile } from './exchange.ts'
import { Mark } from './mark.tsx'
import { editsFlows } from './queries.ts'
import { StatusChip } from './status-chip.tsx'
import { StepSearch } from './step-search.tsx'
import type { KeptDraft } from './use-flow-draft.ts'
import type { View } from './use-view.ts'

const EditorPresence = quietPart(() => import('./editor-presence.tsx'))

/** Whether what one sees is on the server. */
function SaveStatus({ kept }: { readonly kept: KeptDraft }) {
  const { t } = useTranslation('flows')
  const failureText = useFailureText()
  const { saveState } = kept
  if (saveState.kind === 'failed')
    return (
      <span className="flow-save flow-save-failed" role="alert">
        {failureText(saveState.error)}
        <button type="button" className="link" onClick={() => void kept.flush()}>
          {t('save.retry')}
        </button>
      </span>
    )
  return (
    <span className="flow-save flow-drawing" role="status">
      {t(`save.${saveState.kind}`)}
    </span>
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

/** Name, state and what is done with the flow as a whole. */
export function EditorBar(props: EditorBarProps) {
  const { flow, kept, view, isProblems, isPlaying, showsFigures } = props
  const { onView, onProblems, onPlay, onFigures, onPublish, onOpen } = props
  const { t } = useTranslation('flows')
  const { slug, role } = useOrg()
  const navigate = useNavigate()
  const { problems, isReadOnly } = useEditorFacts()
  const nameId = useId()
  const { draft, dispatch } = kept
  const errors = problems.filter(({ isError }) => isError).length
  const hasChanges = flow.hasChanges || kept.saveState.kind !== 'saved'
  return (
    <div className="flow-bar">
      <Link className="icon-button" to={paths.flows(slug)} aria-label={t('toList')} data-tip={t('toList')}>
        <Icon name="back" />
      </Link>
      <h1 className="sr-only">{draft.name || flow.name}</h1>
      <label className="sr-only" htmlFor={nameId}>
        {t('flowName')}
      </label>
      <input
        id={nameId}
        className="flow-name"
        value={draft.name}
        readOnly={isReadOnly}
        maxLength={flowLimits.name}
        autoComplete="off"
        onChange={({ target }) =>
          dispatch({ type: 'change', change: one => ({ ...one, name: target.value }), key: 'name' })
        }
      />
      <StatusChip flow={{ state: flow.state, hasChanges }} />
      {isReadOnly && kept.saveState.kind !== 'failed' ? null : <SaveStatus kept={kept} />}
      <EditorPresence flowId={flow.id} draft={draft} isOwn={kept.saveState.kind === 'saving'} />
      <div className="flow-bar-tools">
        <StepSearch graph={draft.graph} />
        {isReadOnly ? null : (
          <>
            <button
              type="button"
              className="icon-button flow-drawing"
              disabled={!kept.canUndo}
              aria-label={t('undo')}
              data-tip={`${t('undo')} · Ctrl+Z`}
              onClick={() => dispatch({ type: 'undo' })}
            >
              <Mark name="undo" />
            </button>
            <button
              type="button"
              className="icon-button flow-drawing"
              disabled={!kept.canRedo}
              aria-label={t('redo')}
              data-tip={`${t('redo')} · Ctrl+Y`}
              onClick={() => dispatch({ type: 'redo' })}
            >
              <Mark name="redo" />
            </button>
          </>
        )}
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
          onClick={onProblems}
        >
          <Icon name={problems.length ? 'warn' : 'tick'} />
          {problems.length ? t('problemCount', { count: problems.length }) : t('noProblem')}
        </button>
        <button type="button" className="button flow-play-button" aria-pressed={isPlaying} onClick={onPlay}>
          <Mark name="play" />
          {t('play.open')}
        </button>
        {isReadOnly ? null : (
          <button type="button" className="button button-primary flow-drawing" onClick={onPublish}>
            {t('publish.open')}
          </button>
        )}
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
              {/* On a telephone, where nothing is drawn, one tries it all the same. */}
              {editsFlows(role) ? <MenuItem onClick={() => onOpen('test')}>{t('test.open')}</MenuItem> : null}
              <MenuItem onClick={() => onOpen('try')}>{t('try.open')}</MenuItem>
              <MenuItem onClick={() => onOpen('versions')}>{t('versions.open')}</MenuItem>
              <MenuItem onClick={() => saveFlowFile(draft)}>{t('export')}</MenuItem>
            </>
          )}
        />
      </div>
    </div>
  )
}
