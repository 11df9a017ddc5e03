import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** An account at the provider. */
export interface Account {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean | string
  readonly name?: string
}

export interface AnIdentityProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The server's network: the provider under its public name, and nothing else. */
  readonly fetch: typeof fetch
  /** Every request that it received, as method and path. */
  readonly requests: string[]
  /** Replaces the provider's responses, by path. */
  readonly lies: Map<string, (answer: Response) => Promise<Response> | Response>
  /** From now on, browsers are signed in at once as this account. */
  signInAs(account: Account): void
  /** Follows the sign-in's redirects like a browser. Returns the address to which the provider redirects at the end. */
  visit(address: string): Promise<string>
}

export const ssoClient = { clientId: 'recado-client', clientSecret: 'a-client-secret-7c1f9e3b' }

/**
 * A certified OpenID provider (`oidc-provider`) on this machine under a public name. It requires PKCE and signs in
 * every browser without a password.
 */
export async function anIdentityProvider(
  t: { teardown(end: () => Promise<void>): void },
  { issuer = 'https://id.trigal.example', redirectUris }: { issuer?: string; redirectUris: string[] },
): Promise<AnIdentityProvider> {
  let account: Account = { sub: 'rocio', email: 'rocio@trigal.example', email_verified: true, name: 'Rocío Benítez' }
  const known = new Map<string, Account>()
  const { clientId, clientSecret } = ssoClient
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    findAccount: async (_context, sub) => {
      const found = known.get(sub)
      return found && { accountId: sub, claims: async () => ({ ...found }) }
    },
    cookies: { keys: ['only for tests'] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
  })
  provider.proxy = true
  const requests: string[] = []
  const lies: AnIdentityProvider['lies'] = new Map()
  const handle = provider.callback()
  const server: Server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', issuer).pathname
    if (!path.startsWith('/interaction/')) return handle(request, response)
    // The provider's sign-in page: here the test decides the account.
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    known.set(account.sub, account)
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: account.sub } })
    const grant = new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) })
    grant.addOIDCScope('openid email profile')
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const { host, origin } = new URL(issuer)
  const inside = (address: string) => address.replace(origin, `http://127.0.0.1:${port}`)
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': host }

  return {
    issuer,
    clientId,
    clientSecret,
    requests,
    lies,
    fetch: (async (address: string, init: RequestInit) => {
      if (new URL(address).origin !== origin) throw new TypeError('nobody answers there')
      const { pathname } = new URL(address)
      requests.push(`${init.method ?? 'GET'} ${pathname}`)
      const headers = { ...(init.headers as Record<string, string>), ...forwarded }
      const answer = await fetch(inside(address), { ...init, headers })
      const lie = lies.get(pathname)
      return lie ? lie(answer) : answer
    }) as typeof fetch,
    signInAs(next) {
      account = next
    },
    async visit(address) {
      const jar = new Map<string, string>()
      for (let at = address, hops = 0; hops < 10; hops += 1) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await fetch(inside(at), { redirect: 'manual', headers: { ...forwarded, cookie } })
        await answer.text()
        for (const line of answer.headers.getSetCookie()) {
          const [pair = ''] = line.split(';')
          const equals = pair.indexOf('=')
          if (pair.length > equals + 1) jar.set(pair.slice(0, equals), pair.slice(equals + 1))
          else jar.delete(pair.slice(0, equals))
        }
        const location = answer.headers.get('location')
        if (!location) throw new Error(`the provider stopped at ${at} with ${answer.status}`)
        const next = new URL(location, at)
        if (next.origin !== origin) return next.href
        at = next.href
      }
      throw new Error('the provider redirects in a loop')
    },
  }
}
