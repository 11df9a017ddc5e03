import type { Config } from '../platform/config/config.ts'
import type { GraphOptions } from './graph.ts'
import { createEmbeddedSignup, type EmbeddedSignup } from './registration.ts'

/** Whether all that is Meta's is this installation's own simulator: pages, tokens and webhooks of its app, too. */
export const isSimulated = ({ graph, sandbox, publicUrl }: Pick<Config, 'graph' | 'sandbox' | 'publicUrl'>): boolean =>
  sandbox && graph.url === `${publicUrl}/sandbox/graph`

/**
 * Signing up with the installation's own app. Its webhooks come to the shared address, so a code is of use only where
 * that is set up as well; undefined: it is not.
 */
export const signupOf = (
  { appId, appSecret, verifyToken }: Config['meta'],
  graphOf: () => Pick<GraphOptions, 'baseUrl' | 'version'>,
): (EmbeddedSignup & { appSecret: string; verifyToken: string }) | undefined => {
  if (!appId || !appSecret || !verifyToken) return undefined
  const client = () => createEmbeddedSignup({ ...graphOf(), appId, appSecret })
  return {
    exchange: code => client().exchange(code),
    accountsOf: token => client().accountsOf(token),
    appSecret,
    verifyToken,
  }
}

/** The simulator plays Meta's page for the app, too; undefined: the app is Meta's own, or there is none. */
export const simulatedAppOf = (config: Config): { appId: string; appSecret: string } | undefined => {
  const { appId, appSecret } = config.meta
  return isSimulated(config) && appId && appSecret ? { appId, appSecret } : undefined
}

/** What a page has to know to open Meta's dialog; null: it offers none. */
export const dialogOf = (config: Config) => {
  const { appId, configId } = config.meta
  if (!appId || !configId) return null
  return { appId, configId, version: config.graph.version, isSimulated: isSimulated(config) }
}
