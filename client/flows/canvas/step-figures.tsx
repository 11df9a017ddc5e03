import { useTranslation } from 'react-i18next'
import { useEditorFacts } from '../editor/editor-context.ts'

/** Shows how many customers reached a step, wait there, and gave up there. */
export function StepFigures({ id }: { readonly id: string }) {
  const { t } = useTranslation('flows')
  const { entered = 0, here = 0, gaveUp = 0 } = useEditorFacts().figures?.get(id) ?? {}
  return (
    <span className="flow-figures">
      <span>{t('figures.entered', { count: entered })}</span>
      {here ? <span>{t('figures.here', { count: here })}</span> : null}
      {gaveUp ? <b>{t('figures.gaveUp', { count: gaveUp })}</b> : null}
    </span>
  )
}

/** Shows how many continued at the output; nothing if the figures are hidden. */
export function OutputFigure({ id, output }: { readonly id: string; readonly output: string }) {
  const { figures } = useEditorFacts()
  if (!figures) return null
  const count = figures.get(id)?.outputs.find(one => one.output === output)?.count ?? 0
  return (
    <span className="flow-figure" data-none={count === 0}>
      {count}
    </span>
  )
}
