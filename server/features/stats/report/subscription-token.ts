import type { Vault } from '#server/platform/crypto/secrets.ts'

/** The subscription that a link in a report ends. */
interface Subscription {
  readonly orgId: string
  readonly userId: string
}

const context = 'statistics report'

/** Sealed, so that nobody guesses a link or makes one of another. It does not expire: an old mail must unsubscribe, too. */
export function createSubscriptionTokens(vault: Vault) {
  return {
    make: ({ orgId, userId }: Subscription): string => vault.encrypt(JSON.stringify([orgId, userId]), context),
    /** Undefined: not one of ours. */
    read(token: string): Subscription | undefined {
      try {
        const [orgId, userId] = JSON.parse(vault.decrypt(token, context)) as [string, string]
        return { orgId, userId }
      } catch {
        return undefined
      }
    },
  }
}

export type SubscriptionTokens = ReturnType<typeof createSubscriptionTokens>
