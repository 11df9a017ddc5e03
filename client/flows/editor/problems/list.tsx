import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { FlowGraph } from '#shared/flows/graph.ts'
import type { FlowProblem } from '#shared/flows/problems/problem.ts'
import { listedAs } from '../../step-words.ts'
import { outputLabel } from '../../words.ts'
import { useEditorActions, useEditorFacts } from '../editor-context.ts'
import { problemText } from './words.ts'

interface ProblemsListProps {
  readonly graph: FlowGraph
  onClose(): void
}

/** All problems, errors first; each links to its step. */
export function ProblemsList({ graph, onClose }: ProblemsListProps) {
  const { t } = useTranslation('flows')
  const { select } = useEditorActions()
  const { problems, isChecked, names } = useEditorFacts()
  const start = graph.nodes.find(({ type }) => type === 'start')
  const whereOf = ({ nodeId, triggerId, field, code }: FlowProblem): string => {
    const node = graph.nodes.find(({ id }) => id === nodeId)
    if (triggerId) return t('trigger.title')
    if (!node) return t('wholeFlow')
    const listed = listedAs(t, node, names)
    return code === 'outputOpen' && field ? `${listed} → ${outputLabel(t, node, field)}` : listed
  }
  const go = ({ nodeId }: FlowProblem) => {
    const target = nodeId ?? start?.id
    if (target) select([target], true)
  }
  return (
    <aside className="flow-panel" aria-label={t('problems')}>
      <div className="flow-panel-head">
        <Icon name="warn" />
        <h2 className="cut">{t('problems')}</h2>
        <button type="button" className="icon-button" aria-label={t('closePanel')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {problems.length ? (
        <ul className="flow-problems">
          {problems.map((problem, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two of the same kind at one step differ in their place alone
            <li key={place}>
              <button type="button" onClick={() => go(problem)}>
                <span className={`chip ${problem.isError ? 'chip-red' : 'chip-amber'}`}>
                  {t(problem.isError ? 'error' : 'warning')}
                </span>
                <b>{problemText(t, problem)}</b>
                <span className="flow-problem-where">{whereOf(problem)}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : isChecked ? (
        <p className="flow-panel-note">{t('noProblems')}</p>
      ) : null}
    </aside>
  )
}
