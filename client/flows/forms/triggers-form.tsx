import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { flowLimits } from '#shared/flows/limits.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { problemText } from '../editor/problems/words.ts'
import { triggerText } from '../words.ts'
import { KindFields, type TriggerChange } from './trigger-fields.tsx'
import { newTrigger, triggerKinds } from './trigger-kinds.ts'
import { TriggerOptions } from './trigger-options.tsx'

function TriggerFields({ trigger }: { readonly trigger: FlowTrigger }) {
  const { t } = useTranslation('flows')
  const { changeTriggers } = useEditorActions()
  const { names, problems, isReadOnly } = useEditorFacts()
  const headId = useId()
  const { id, kind } = trigger
  const own = problems.find(({ triggerId, field }) => triggerId === id && !field)
  const change: TriggerChange = (part, key) =>
    changeTriggers(
      all =>
        all.map(one => {
          if (one.id !== id) return one
          const next = { ...one, ...part } as Record<string, unknown>
          for (const [name, value] of Object.entries(next)) if (value === undefined) delete next[name]
          return next as unknown as FlowTrigger
        }),
      key && `${id}.${key}`,
    )
  return (
    <li className="flow-trigger" data-trigger={id}>
      <div className="flow-rule-head">
        <h4 id={headId}>{t(`trigger.kind.${kind}`)}</h4>
        {isReadOnly ? null : (
          <button
            type="button"
            className="icon-button"
            aria-label={t('trigger.remove', { trigger: triggerText(t, trigger, names) })}
            data-tip={t('remove')}
            onClick={() => changeTriggers(all => all.filter(one => one.id !== id))}
          >
            <Icon name="trash" />
          </button>
        )}
      </div>
      <p className="field-hint">{t(`trigger.hint.${kind}`)}</p>
      {own ? <Fault>{problemText(t, own)}</Fault> : null}
      {/* biome-ignore lint/a11y/useSemanticElements: it stands in an item of a list, and its head names it */}
      <div className="flow-trigger-fields" role="group" aria-labelledby={headId}>
        <KindFields trigger={trigger} change={change} />
        <TriggerOptions trigger={trigger} change={change} />
      </div>
    </li>
  )
}

/** The flow's triggers, in the panel of the start. */
export function TriggersForm({ triggers }: { readonly triggers: readonly FlowTrigger[] }) {
  const { t } = useTranslation('flows')
  const { changeTriggers } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  const root = useRef<HTMLElement>(null)
  const added = useRef<string>(undefined)
  // Once it is rendered, and its menu has given the focus back.
  useEffect(() => {
    const id = added.current
    if (id === undefined || !triggers.some(one => one.id === id)) return
    added.current = undefined
    const fields = root.current?.querySelector(`[data-trigger="${CSS.escape(id)}"]`)
    const field = fields?.querySelector<HTMLElement>('textarea, input') ?? fields?.querySelector<HTMLElement>('select')
    field?.focus()
  }, [triggers])
  const addTrigger = (kind: FlowTrigger['kind']) => {
    const trigger = newTrigger(kind)
    added.current = trigger.id
    changeTriggers(all => [...all, trigger])
  }
  return (
    <section className="flow-triggers" ref={root}>
      <h3>{t('trigger.title')}</h3>
      {triggers.length ? (
        <ul>
          {triggers.map(trigger => (
            <TriggerFields key={trigger.id} trigger={trigger} />
          ))}
        </ul>
      ) : (
        <p className="field-hint">{t('trigger.none')}</p>
      )}
      {isReadOnly || triggers.length >= flowLimits.triggers ? null : (
        <Menu
          label={t('trigger.add')}
          className="link flow-add"
          side="below-start"
          button={
            <>
              <Icon name="plus" />
              {t('trigger.add')}
            </>
          }
        >
          {() =>
            triggerKinds.map(kind => (
              <MenuItem key={kind} onClick={() => addTrigger(kind)}>
                {t(`trigger.kind.${kind}`)}
              </MenuItem>
            ))
          }
        </Menu>
      )}
    </section>
  )
}
