import { useTranslation } from 'react-i18next'
import { stepColors } from '#shared/flow-graph.ts'
import { useEditorActions } from './editor-context.ts'
import { alignedPlaces } from './layout.ts'
import { Mark } from './mark.tsx'
import { colorSteps, movePlaces } from './operations.ts'

/** The colors of groups, to be given to what is chosen. */
export function StepColors({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useTranslation('flows')
  const { change } = useEditorActions()
  return (
    <fieldset className="flow-colors">
      <legend className="sr-only">{t('field.color')}</legend>
      {([undefined, ...stepColors] as const).map(color => (
        <button
          key={color ?? 'none'}
          type="button"
          data-color={color}
          aria-label={t(`color.${color ?? 'none'}`)}
          data-tip={t(`color.${color ?? 'none'}`)}
          onClick={() => change(graph => colorSteps(graph, ids, color))}
        />
      ))}
    </fieldset>
  )
}

/** Several chosen steps are put one below the other, or side by side. */
export function StepAlignment({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useTranslation('flows')
  const { change } = useEditorActions()
  return (
    <fieldset className="flow-canvas-tools">
      <legend className="sr-only">{t('align.label')}</legend>
      {(['column', 'row'] as const).map(as => (
        <button
          key={as}
          type="button"
          aria-label={t(`align.${as}`)}
          data-tip={t(`align.${as}`)}
          onClick={() => change(graph => movePlaces(graph, alignedPlaces(graph, ids, as)))}
        >
          <Mark name={as} />
        </button>
      ))}
    </fieldset>
  )
}
