import { useTranslation } from 'react-i18next'
import type { FlowGraph } from '#shared/flows/graph.ts'
import type { Simulation } from '#shared/flows/testing/simulation.ts'
import { StepTrail } from '../canvas/step-trail.tsx'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'

/** The variables, tags and steps of the conversation. */
export function PlayInside({ answer, graph }: { readonly answer: Simulation; readonly graph: FlowGraph }) {
  const { t } = useTranslation('flows')
  const { reveal } = useEditorActions()
  const { names } = useEditorFacts()
  const variables = Object.entries(answer.variables)
  const tags = answer.tagIds.flatMap(id => names.tags.get(id) ?? [])
  return (
    <>
      <details open>
        <summary>{t('play.variables')}</summary>
        {variables.length || tags.length ? (
          <dl className="flow-play-variables stack-s">
            {variables.map(([name, value]) => (
              <div key={name}>
                <dt>
                  <bdi>{name}</bdi>
                </dt>
                <dd>{value || t('play.empty')}</dd>
              </div>
            ))}
            {tags.length ? (
              <div>
                <dt>{t('play.tags')}</dt>
                <dd>{tags.join(', ')}</dd>
              </div>
            ) : null}
          </dl>
        ) : (
          <p className="field-hint">{t('play.noVariables')}</p>
        )}
      </details>
      <details>
        <summary>{t('play.path', { count: answer.steps.length })}</summary>
        <StepTrail steps={answer.steps} graph={graph} names={names} onStep={reveal} />
      </details>
    </>
  )
}
