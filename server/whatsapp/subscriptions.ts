/** Fields of WhatsApp's webhooks that a feature handles and an app has to be subscribed to. */
export interface Subscriptions {
  /** Without these, what customers or colleagues write is not seen here: the check of a number fails. */
  readonly vital?: readonly string[]
  /** Without these, something is learned late: the check warns. */
  readonly useful?: readonly string[]
}

declare module '#server/platform/wiring/feature.ts' {
  interface FeatureFacts {
    /** The fields of webhooks that it handles; its `takers` take them. */
    readonly subscribesTo?: Subscriptions
  }
}

/** The fields that an app has to be subscribed to, of all features together. */
export interface WantedFields {
  readonly vital: readonly string[]
  /** The vital ones first. */
  readonly all: readonly string[]
}

export function collectWantedFields(features: readonly { readonly subscribesTo?: Subscriptions }[]): WantedFields {
  const vital = features.flatMap(({ subscribesTo }) => subscribesTo?.vital ?? [])
  return { vital, all: [...vital, ...features.flatMap(({ subscribesTo }) => subscribesTo?.useful ?? [])] }
}
