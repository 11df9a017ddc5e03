import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { flowLimits } from '#shared/flows/limits.ts'
import type { HttpPair } from '#shared/flows/nodes/http-fields.ts'
import { useEditorFacts } from '../editor/editor-context.ts'
import { LineField, useFieldProblem } from './fields.tsx'
import { TextField } from './text-field.tsx'

interface PairProps {
  readonly nodeId: string
  readonly pair: HttpPair
  readonly field: string
  readonly label: string
  change(pair: HttpPair, key: string): void
  remove(): void
}

function Pair({ nodeId, pair, field, label, change, remove }: PairProps) {
  const { t } = useTranslation('flows')
  const { secrets, isReadOnly } = useEditorFacts()
  return (
    <fieldset className="flow-named">
      <legend>{label}</legend>
      <LineField
        label={t('http.name')}
        value={pair.name}
        maxLength={100}
        isCode
        fault={useFieldProblem({ nodeId }, field)}
        onChange={name => change({ ...pair, name }, 'name')}
      />
      <TextField
        label={t('http.value')}
        value={pair.value}
        max={1024}
        rows={1}
        also={secrets}
        onChange={value => change({ ...pair, value }, 'value')}
      />
      {isReadOnly ? null : (
        <button
          type="button"
          className="icon-button"
          aria-label={t('http.removePair', { name: pair.name || label })}
          onClick={remove}
        >
          <Icon name="close" />
        </button>
      )}
    </fieldset>
  )
}

interface PairsFieldProps {
  readonly nodeId: string
  readonly field: 'headers' | 'form'
  readonly pairs: readonly HttpPair[]
  onChange(pairs: readonly HttpPair[], key?: string): void
}

/** Names with values: headers, or form fields. */
export function PairsField({ nodeId, field, pairs, onChange }: PairsFieldProps) {
  const { t } = useTranslation('flows')
  const { isReadOnly } = useEditorFacts()
  const one = field === 'headers' ? 'http.header' : 'http.field'
  return (
    <section className="flow-pairs">
      <h3>{t(`http.${field}`)}</h3>
      {pairs.map((pair, place) => (
        <Pair
          // biome-ignore lint/suspicious/noArrayIndexKey: they are known by their place
          key={place}
          nodeId={nodeId}
          pair={pair}
          field={`${field}.${place}`}
          label={t(one, { number: place + 1 })}
          change={(next, key) =>
            onChange(
              pairs.map((old, i) => (i === place ? next : old)),
              `${nodeId}.${field}.${place}.${key}`,
            )
          }
          remove={() => onChange(pairs.filter((_, i) => i !== place))}
        />
      ))}
      {isReadOnly || pairs.length >= flowLimits.pairs ? null : (
        <button type="button" className="link flow-add" onClick={() => onChange([...pairs, { name: '', value: '' }])}>
          <Icon name="plus" />
          {t(field === 'headers' ? 'http.addHeader' : 'http.addField')}
        </button>
      )}
    </section>
  )
}
