import { accountFacts } from './account-facts.ts'
import { adminFacts } from './admin-facts.ts'
import type { AllowedPath } from './allowed-routes.ts'
import { apiKeyFacts } from './api-key-facts.ts'
import type { CallFact } from './call-fact.ts'
import { organizationFacts } from './organization-facts.ts'
import { ssoFacts } from './sso-facts.ts'

/** Facts that the library's description of a call lacks or gets wrong. A new allowed path needs an entry. */
export const callFacts: { readonly [P in AllowedPath]: CallFact } = {
  ...accountFacts,
  ...organizationFacts,
  ...ssoFacts,
  ...apiKeyFacts,
  ...adminFacts,
}
