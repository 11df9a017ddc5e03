import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { type KeyScope, keyDaysOffered, keyScopesOffered } from '#shared/auth/api-keys.ts'
import { type OrgRole, roleCan } from '#shared/kernel/permissions.ts'

export interface KeyLimits {
  /** Null: it does not expire. */
  readonly days: number | null
  /** Null: all rights of its creator. */
  readonly scopes: readonly KeyScope[] | null
  /** The networks as typed. Empty: any. */
  readonly networks: string
}

/** The typed networks as a list. Null: any. */
export const networksIn = (typed: string): readonly string[] | null => {
  const networks = [...new Set(typed.split(/[\s,;]+/).filter(Boolean))]
  return networks.length ? networks : null
}

interface KeyOptionsProps {
  readonly role: OrgRole
  readonly limits: KeyLimits
  onChange(limits: KeyLimits): void
  readonly fault?: string
  readonly networkFault?: string
  /** The address from which the person requests the page. */
  readonly address?: string
}

/** The text of a scope. */
export const scopeLabel = (scope: KeyScope) => `keys.can.${scope.replace(':', '_') as ScopeLabel<KeyScope>}` as const
type ScopeLabel<S extends string> = S extends `${infer Noun}:${infer Verb}` ? `${Noun}_${Verb}` : never

/** A key's lifetime and scopes. */
export function KeyOptions({ role, limits, onChange, fault, networkFault, address }: KeyOptionsProps) {
  const { t } = useTranslation('admin')
  const id = useId()
  const { days, scopes, networks } = limits
  const restricted = networksIn(networks)
  const toggle = (scope: KeyScope, isOn: boolean) =>
    onChange({ ...limits, scopes: isOn ? [...(scopes ?? []), scope] : (scopes ?? []).filter(one => one !== scope) })
  return (
    <details className="key-options">
      <summary>
        {t('keys.options')}
        <span className="fine">
          {[
            days === null ? t('keys.expiresNever') : t('keys.days', { count: days }),
            scopes === null ? t('keys.allScopes') : t('keys.scopeCount', { count: scopes.length }),
            ...(restricted ? [t('keys.from', { networks: restricted.join(', ') })] : []),
          ].join(' · ')}
        </span>
      </summary>
      <div className="stack">
        <div className="field">
          <label htmlFor={`${id}-days`}>{t('keys.expires')}</label>
          <select
            id={`${id}-days`}
            value={days ?? ''}
            onChange={({ target }) => onChange({ ...limits, days: target.value ? Number(target.value) : null })}
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
            onChange={({ target }) => onChange({ ...limits, scopes: target.value === 'some' ? ['chat:read'] : null })}
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
        <Field
          label={t('keys.networks')}
          name="networks"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          maxLength={1000}
          value={networks}
          onChange={({ target }) => onChange({ ...limits, networks: target.value })}
          hint={[t('keys.networksHint'), ...(address ? [t('keys.networksNow', { address })] : [])].join(' ')}
          fault={networkFault}
        />
      </div>
    </details>
  )
}
