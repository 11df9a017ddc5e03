import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { connectionsQuery } from '#client/integrations/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { Labelled } from '#client/ui/controls/field.tsx'
import { type WebhookFilter, webhookLimits } from '#shared/outgoing-webhooks/api.ts'

interface Choice {
  readonly id: string
  readonly label: string
}

interface ChoicesProps {
  readonly legend: string
  readonly choices: readonly Choice[]
  readonly chosen: readonly string[]
  onChange(chosen: readonly string[]): void
}

function Choices({ legend, choices, chosen, onChange }: ChoicesProps) {
  return (
    <fieldset className="webhook-choices">
      <legend className="field-label">{legend}</legend>
      {choices.map(({ id, label }) => (
        <label key={id} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            disabled={!chosen.includes(id) && chosen.length >= webhookLimits.filtered}
            onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter(one => one !== id))}
          />
          <span dir="auto">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Adds chosen entries that no longer exist, so that somebody can remove them. */
const withChosen = (choices: readonly Choice[], chosen: readonly string[]): Choice[] => [
  ...choices,
  ...chosen.flatMap(id => (choices.some(one => one.id === id) ? [] : [{ id, label: id }])),
]

interface FilterFieldsProps {
  readonly filter: WebhookFilter
  readonly hasTags: boolean
  onChange(filter: WebhookFilter): void
}

/** Narrows the chosen events by number, tag, direction and status. */
export function FilterFields({ filter, hasTags, onChange }: FilterFieldsProps) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const { data: connections } = useQuery(connectionsQuery(slug))
  const { data: tags } = useQuery(tagsQuery(slug))
  const { numbers = [], tags: tagIds = [], direction, finalStatusOnly = false } = filter
  const ours = withChosen(
    (connections?.items ?? []).map(({ phone, verifiedName }) => ({
      id: phone,
      label: verifiedName ? `${verifiedName} (+${phone})` : `+${phone}`,
    })),
    numbers,
  )
  const labels = withChosen(tags?.items ?? [], tagIds)
  return (
    <details className="webhook-filter" open={Object.keys(filter).length > 0}>
      <summary>{t('hooks.filter')}</summary>
      <div className="stack">
        <Labelled label={t('hooks.direction')}>
          {control => (
            <select
              {...control}
              value={direction ?? ''}
              onChange={({ target }) => {
                const { direction: _, ...rest } = filter
                onChange(target.value ? { ...rest, direction: target.value as 'in' | 'out' } : rest)
              }}
            >
              <option value="">{t('hooks.directionAny')}</option>
              <option value="in">{t('hooks.directionIn')}</option>
              <option value="out">{t('hooks.directionOut')}</option>
            </select>
          )}
        </Labelled>
        <label className="check">
          <input
            type="checkbox"
            checked={finalStatusOnly}
            onChange={({ target }) => onChange({ ...filter, finalStatusOnly: target.checked })}
          />
          <span>{t('hooks.finalStatusOnly')}</span>
        </label>
        {ours.length > 1 || numbers.length ? (
          <Choices
            legend={t('hooks.onlyNumbers')}
            choices={ours}
            chosen={numbers}
            onChange={next => onChange({ ...filter, numbers: [...next] })}
          />
        ) : null}
        {hasTags && labels.length ? (
          <Choices
            legend={t('hooks.onlyTags')}
            choices={labels}
            chosen={tagIds}
            onChange={next => onChange({ ...filter, tags: [...next] })}
          />
        ) : null}
      </div>
    </details>
  )
}
