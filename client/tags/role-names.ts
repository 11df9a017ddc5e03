import { useTranslation } from 'react-i18next'
import { effectiveRole } from '#shared/kernel/permissions.ts'

/** Lists role names in a sentence, in the reader's language. */
export const useRoleNames = () => {
  const { t, i18n } = useTranslation('shell')
  return (roles: readonly string[]): string =>
    new Intl.ListFormat(i18n.language).format(roles.map(role => t(`role.${effectiveRole(role)}`)))
}
