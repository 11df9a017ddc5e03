import { useTranslation } from 'react-i18next'
import { type ProgramScope, sendingScope } from '#shared/programs/api.ts'

interface ScopeChoiceProps {
  readonly possible: readonly ProgramScope[]
  readonly chosen: readonly ProgramScope[]
  onChoose(scopes: readonly ProgramScope[]): void
}

type Key<S extends string> = S extends `${infer Noun}:${infer Verb}` ? `${Noun}_${Verb}` : never

/** The text of a scope. */
export const scopeKey = (scope: ProgramScope) => `can.${scope.replace(':', '_') as Key<ProgramScope>}` as const

/** Lets the person choose the program's permissions, among those it asks for and their role allows. */
export function ScopeChoice({ possible, chosen, onChoose }: ScopeChoiceProps) {
  const { t } = useTranslation('programs')
  const toggle = (scope: ProgramScope, isOn: boolean) =>
    onChoose(isOn ? [...chosen, scope] : chosen.filter(one => one !== scope))
  return (
    <fieldset className="program-scopes">
      <legend>{t('may')}</legend>
      {possible.map(scope => (
        <label key={scope}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={({ target }) => toggle(scope, target.checked)}
          />
          <span>
            {t(scopeKey(scope))}
            {scope === sendingScope ? <span className="field-hint">{t('canMore.chat_reply')}</span> : null}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
