import { useTranslation } from 'react-i18next'
import { stepColors } from '#shared/flows/nodes/kind.ts'
import { alignedPlaces } from '../canvas/layout.ts'
import { Mark } from '../canvas/mark.tsx'
import { colorSteps, movePlaces } from '../editor/draft/operations.ts'
import { useEditorActions } from '../editor/editor-context.ts'

/** Buttons that colour the selected steps. */
export function StepColors({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useTranslation('flows')
  const { change } = useEditorActions()
  return (
    <fieldset className="flow-colors">
      <legend className="sr-only">{t('field.color')}</legend>
      <span className="small" aria-hidden="true">
        {t('field.color')}
      </span>
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

/** Aligns the selected steps in a column or a row. */
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
