import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { type KeyScope, keyDaysOffered, keyScopesOffered } from '#shared/auth/api-keys.ts'
import { type OrgRole, roleCan } from '#shared/kernel/permissions.ts'

export interface KeyLimits {
  /** Null: it does not expire. */
  readonly days: number | null
  /** Null: all rights of its creator. */
  readonly scopes: readonly KeyScope[] | null
}

interface KeyOptionsProps {
  readonly role: OrgRole
  readonly limits: KeyLimits
  onChange(limits: KeyLimits): void
  readonly fault?: string
}

/** The text of a scope. */
export const scopeLabel = (scope: KeyScope) => `keys.can.${scope.replace(':', '_') as ScopeLabel<KeyScope>}` as const
type ScopeLabel<S extends string> = S extends `${infer Noun}:${infer Verb}` ? `${Noun}_${Verb}` : never

/** A key's lifetime and scopes. */
export function KeyOptions({ role, limits, onChange, fault }: KeyOptionsProps) {
  const { t } = useTranslation('admin')
  const id = useId()
  const { days, scopes } = limits
  const toggle = (scope: KeyScope, isOn: boolean) =>
    onChange({ days, scopes: isOn ? [...(scopes ?? []), scope] : (scopes ?? []).filter(one => one !== scope) })
  return (
    <details className="key-options">
      <summary>
        {t('keys.options')}
        <span className="fine">
          {[
            days === null ? t('keys.expiresNever') : t('keys.days', { count: days }),
            scopes === null ? t('keys.allScopes') : t('keys.scopeCount', { count: scopes.length }),
          ].join(' · ')}
        </span>
      </summary>
      <div className="stack">
        <div className="field">
          <label htmlFor={`${id}-days`}>{t('keys.expires')}</label>
          <select
            id={`${id}-days`}
            value={days ?? ''}
            onChange={({ target }) => onChange({ days: target.value ? Number(target.value) : null, scopes })}
          >
            <option value="">{t('keys.expiresNever')}</option>
            {keyDaysOffered.map(count => (
              <option key={count} value={count}>
                {t('keys.days', { count })}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}-scopes`}>{t('keys.scopes')}</label>
          <select
            id={`${id}-scopes`}
            value={scopes ? 'some' : 'all'}
            onChange={({ target }) => onChange({ days, scopes: target.value === 'some' ? ['chat:read'] : null })}
          >
            <option value="all">{t('keys.allScopes')}</option>
            <option value="some">{t('keys.someScopes')}</option>
          </select>
        </div>
        {scopes ? (
          <div className="key-scopes">
            {keyScopesOffered
              .filter(scope => roleCan(role, scope))
              .map(scope => (
                <label key={scope}>
                  <input
                    type="checkbox"
                    checked={scopes.includes(scope)}
                    onChange={({ target }) => toggle(scope, target.checked)}
                  />
                  <span>
                    {t(scopeLabel(scope))} <code className="fine">{scope}</code>
                  </span>
                </label>
              ))}
          </div>
        ) : null}
        {fault ? <Fault>{fault}</Fault> : null}
      </div>
    </details>
  )
}
