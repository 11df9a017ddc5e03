import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import type { WebhookType } from '#shared/outgoing-webhooks/api.ts'
import { eventGroups, eventWord } from './draft.ts'
import { eventsQuery } from './queries.ts'

interface EventsFieldProps {
  readonly events: readonly WebhookType[]
  readonly fault: string | undefined
  onChange(events: readonly WebhookType[]): void
}

/** Chooses the events of a webhook. They stand in groups, and each shows a sample of what is sent. */
export function EventsField({ events, fault, onChange }: EventsFieldProps) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const { data } = useQuery(eventsQuery(slug))
  const samples = new Map(data?.items.map(({ type, sample }) => [type, sample]))
  const toggle = (type: WebhookType, isOn: boolean) =>
    onChange(isOn ? [...events, type] : events.filter(one => one !== type))
  return (
    <div className="webhook-events">
      <span className="field-label">{t('hooks.events')}</span>
      <p className="field-hint">{t('hooks.eventsHint')}</p>
      {eventGroups.map(([group, types]) => (
        <details key={group} open={types.some(type => events.includes(type))}>
          <summary>
            {t(`hooks.group.${group}`)}
            <span className="chip">
              {t('hooks.chosen', { count: types.filter(type => events.includes(type)).length, of: types.length })}
            </span>
          </summary>
          <fieldset>
            <legend className="sr-only">{t(`hooks.group.${group}`)}</legend>
            {types.map(type => (
              <div key={type}>
                <label className="check">
                  <input
                    type="checkbox"
                    checked={events.includes(type)}
                    onChange={({ target }) => toggle(type, target.checked)}
                  />
                  <span>
                    {t(`hooks.event.${eventWord(type)}`)} <code>{type}</code>
                  </span>
                </label>
                <details className="webhook-sample">
                  <summary>{t('hooks.sample')}</summary>
                  <pre className="log-body">{samples.get(type) ?? '…'}</pre>
                </details>
              </div>
            ))}
          </fieldset>
        </details>
      ))}
      {fault ? <Fault>{fault}</Fault> : null}
    </div>
  )
}
