import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type ApiKeyEntry, type KeyScope, keyScopesOffered } from '#shared/auth/api-keys.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { Capability } from '#shared/kernel/permissions.ts'
import { clockTime, shortDate } from '#shared/kernel/time.ts'
import { ColumnHeads } from '../column-heads.tsx'
import { scopeLabel } from './options.tsx'

interface KeyTableProps {
  readonly keys: readonly ApiKeyEntry[]
  onDelete(key: ApiKeyEntry): void
}

export function KeyTable({ keys, onDelete }: KeyTableProps) {
  const { t, i18n } = useTranslation('admin')
  const { slug } = useOrg()
  const { timeZone } = useFacts()
  const language = i18n.language === 'en' ? 'en' : 'es'
  const dateOf = (iso: string) => shortDate(iso, language, timeZone)
  const nameOf = (scope: Capability) =>
    keyScopesOffered.some(one => one === scope) ? t(scopeLabel(scope as KeyScope)).toLowerCase() : scope
  const factsOf = ({ state, expiresAt, scopes, networks }: ApiKeyEntry): string[] => [
    ...(state === 'orphaned' ? [t('keys.orphaned')] : []),
    ...(state === 'expired' ? [t('keys.expired')] : []),
    ...(state === 'active' && expiresAt ? [t('keys.until', { date: dateOf(expiresAt) })] : []),
    ...(scopes ? [t('keys.limitedTo', { scopes: scopes.map(nameOf).join(', ') })] : []),
    ...(networks ? [t('keys.from', { networks: networks.join(', ') })] : []),
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="table-scroll key-table" tabIndex={0} aria-label={t('keys.existing')}>
      <table className="table">
        <ColumnHeads of={[t('name'), t('keys.key'), t('keys.created'), t('keys.lastUsed')]} />
        <tbody>
          {keys.map(key => (
            <tr key={key.id}>
              <td>
                <span className="key-name" dir="auto">
                  {key.name}
                </span>
                {factsOf(key).map(fact => (
                  <span className="field-hint" key={fact}>
                    {fact}
                  </span>
                ))}
                <Link
                  className="key-calls"
                  to={paths.apiCalls(slug, key.id)}
                  aria-label={t('keys.callsOf', { name: key.name })}
                >
                  {t('keys.calls')}
                </Link>
              </td>
              <td>
                <code>{key.start}••••</code>
              </td>
              <td data-label={t('keys.created')}>{dateOf(key.createdAt)}</td>
              <td data-label={t('keys.lastUsed')}>
                {key.lastRequest
                  ? `${dateOf(key.lastRequest)}, ${clockTime(key.lastRequest, timeZone)}`
                  : t('keys.never')}
              </td>
              <td className="admin-actions">
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('keys.removeOf', { name: key.name })}
                  onClick={() => onDelete(key)}
                >
                  <Icon name="trash" />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
