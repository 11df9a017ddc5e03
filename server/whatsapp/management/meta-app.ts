import type { Config } from '#server/platform/config/config.ts'
import type { GraphOptions } from '../graph/graph.ts'
import { createEmbeddedSignup, type EmbeddedSignup } from './registration.ts'

/** The simulator stands in for all of Meta: also the app's pages, tokens and webhooks. */
export const isSimulated = ({ graph, sandbox, publicUrl }: Pick<Config, 'graph' | 'sandbox' | 'publicUrl'>): boolean =>
  sandbox && graph.url === `${publicUrl}/sandbox/graph`

/**
 * Sign-up with the installation's own app. Webhooks come to the shared address, so it requires that the verify token is
 * set as well. Undefined: not configured.
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

/** The app whose Meta pages the simulator imitates; undefined: the app is at Meta, or there is none. */
export const simulatedAppOf = (config: Config): { appId: string; appSecret: string } | undefined => {
  const { appId, appSecret } = config.meta
  return isSimulated(config) && appId && appSecret ? { appId, appSecret } : undefined
}

/** The facts with which a page opens Meta's dialog. Null: not offered. */
export const dialogOf = (config: Config) => {
  const { appId, configId } = config.meta
  if (!appId || !configId) return null
  return { appId, configId, version: config.graph.version, isSimulated: isSimulated(config) }
}
